import type { AreaRecord } from "../../../places/record.ts";
import type { Blob } from "./blobs.ts";
import type { BlockSummary, Member } from "./block.ts";
import type { LocationTable } from "./locations.ts";

export type WantedRelation = { id: number; tags: Record<string, string>; members: Member[] };
/** With the nodes of its ways, by the number of the member, and the kind of settlement that it surrounds. */
export type WholeRelation = WantedRelation & {
  nodes: (Float64Array | undefined)[];
  centerKind: AreaRecord["kind"] | undefined;
};

/** The steps of reading an extract; each looks at one block, but for the relations, which are known by then. */
export type PbfTask =
  | { step: "survey"; blob: Blob }
  | { step: "members"; blob: Blob; ways: Float64Array<SharedArrayBuffer> }
  | { step: "nodes"; blob: Blob; table: LocationTable; isSurveyed: boolean }
  | { step: "locate"; blob: Blob; table: LocationTable }
  | { step: "ways"; blob: Blob; table: LocationTable }
  | { step: "relations"; relations: WholeRelation[]; table: LocationTable };

/** What a block tells that later steps need. */
export type PbfFindings = {
  summary: BlockSummary;
  /** Nodes that wanted ways and relations are made of. */
  nodes: Float64Array;
  wantedWays: number;
  relations: WantedRelation[];
  /** What kind of settlement a node is the center of, for the boundary around it. */
  centers: [node: number, kind: AreaRecord["kind"]][];
  /** The nodes of ways that relations are made of. */
  memberWays: [way: number, nodes: Float64Array][];
};

/** The member where a relation's own center is. */
export function labelOf(members: readonly Member[]): Member | undefined {
  const withRole = (wanted: string) => members.find(({ type, role }) => type === "node" && role === wanted);
  return withRole("label") ?? withRole("admin_centre");
}
