import type { SourceSelection } from "./selection.ts";
import type { Source } from "./source.ts";

/** A source without a description is somebody else's. */
export function isOwn({ isLocal = false }: Pick<Source, "isLocal">): boolean {
  return isLocal;
}

/** The source whose work a queue runs; the only one also runs what another would answer. */
export type Lane = { source: Source; isOnly: boolean };

/**
 * Work that our own data answers is claimed apart from that of live services, each as much at once as its source allows.
 * Undefined where no source of the kind is ready.
 */
export async function laneOf(sources: SourceSelection, isLocal: boolean): Promise<Lane | undefined> {
  const ready = await sources.ready();
  const source = ready.find((each) => isOwn(each) === isLocal);
  return source && { source, isOnly: ready.every((each) => isOwn(each) === isLocal) };
}
