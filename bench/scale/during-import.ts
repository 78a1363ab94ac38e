// Searches alone and while an import runs, each in a process of its own, as a service and a command are.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { lowerPriority } from "../../server/src/operator/lower-priority.ts";
import { systemClock } from "../../server/src/platform/clock.ts";
import { silentLog } from "../../server/src/platform/log.ts";
import { type Connection, createDatabase } from "../../server/src/platform/postgres/database.ts";
import { importItems } from "../../server/src/data-sets/import.ts";
import { awaitIndex, openCatalog } from "../places/open-catalog.ts";
import type { Asked } from "../places/questions.ts";
import { itemsOf, makePlaces, makeTowns, randomFrom } from "../places/synthetic.ts";
import { queryOf } from "./asking.ts";

type AskTask = { role: "ask"; connection: Connection; folder: string; questions: readonly Asked[] };
type ImportTask = { role: "import"; connection: Connection; folder: string; places: number };

/** Milliseconds of each search, from the moment that it was due. */
type SearchTimes = { alone: number[]; during: number[]; importSeconds: number };

/** A question comes every so often, whatever the ones before it took. */
const everyMs = 10;
/** No question comes again: each round of them lies so many degrees from the one before. */
const apartDegrees = 0.0005;
const roundsMax = 40;

export async function searchDuringImport(
  { connection, folder }: { connection: Connection; folder: string },
  { questions, places, aloneSeconds }: { questions: readonly Asked[]; places: number; aloneSeconds: number },
): Promise<SearchTimes> {
  const asking = fork(import.meta.filename);
  const importing = fork(import.meta.filename);
  try {
    await reply(asking, { role: "ask", connection, folder, questions } satisfies AskTask);
    await reply(asking, "read");
    await sleep(aloneSeconds * 1_000);
    const alone = await reply<number[]>(asking, "read");
    const began = performance.now();
    await reply(importing, { role: "import", connection, folder, places } satisfies ImportTask);
    const importSeconds = (performance.now() - began) / 1_000;
    return { alone, during: await reply<number[]>(asking, "read"), importSeconds };
  } finally {
    for (const child of [asking, importing]) child.kill();
  }
}

async function reply<Result>(child: ChildProcess, message: AskTask | ImportTask | "read"): Promise<Result> {
  const ended = new AbortController();
  const answered = once(child, "message", { signal: ended.signal });
  const died = once(child, "exit", { signal: ended.signal }).then(([code]) => {
    throw new Error(`A process of the measurement ended with ${code}.`);
  });
  child.send(message);
  try {
    const [result] = (await Promise.race([answered, died])) as [Result];
    return result;
  } finally {
    ended.abort();
    await Promise.allSettled([answered, died]);
  }
}

if (process.send && process.argv[1] === import.meta.filename) {
  process.once("message", (task) => {
    void perform(task as AskTask | ImportTask);
  });
}

async function perform(task: AskTask | ImportTask): Promise<void> {
  if (task.role === "ask") await ask(task);
  else await importPlaces(task);
}

/** Asks every question once, so that all is loaded, and then asks them one after the other until its end. */
async function ask({ connection, folder, questions }: AskTask): Promise<void> {
  const db = createDatabase({ connection, connectionsMax: 4, log: silentLog });
  const catalog = await openCatalog({ connection, db, folder });
  const { signal } = new AbortController();
  await catalog.warm(signal);
  for (const each of questions) await catalog.search(queryOf(each), signal);
  let times: number[] = [];
  process.on("message", () => {
    process.send?.(times);
    times = [];
  });
  process.send?.("ready");
  const began = performance.now();
  for (let count = 0; ; count += 1) {
    const due = began + count * everyMs;
    await sleep(Math.max(0, due - performance.now()));
    const asked = questions[count % questions.length];
    if (!asked) return;
    const moved = {
      ...asked,
      latitude: asked.latitude + apartDegrees * (Math.floor(count / questions.length) % roundsMax),
    };
    void catalog.search(queryOf(moved), signal).then(() => times.push(performance.now() - due));
  }
}

/** As many places again, in towns of their own, as the command imports them. */
async function importPlaces({ connection, folder, places }: ImportTask): Promise<void> {
  await lowerPriority({ isServedHere: true });
  const towns = makeTowns("sparse", randomFrom(21));
  const items = itemsOf(renumbered(makePlaces(places, towns, randomFrom(22))));
  const { signal } = new AbortController();
  const db = createDatabase({ connection, connectionsMax: 1, log: silentLog });
  await importItems({ name: "meanwhile", origin: "synthetic" }, items, {
    connection,
    clock: systemClock,
    signal,
    waitForSearches: () => awaitIndex(db, folder), // as the command does
  });
  await db.end();
  process.send?.("done");
}

function* renumbered(places: ReturnType<typeof makePlaces>): ReturnType<typeof makePlaces> {
  for (const place of places) yield { ...place, sourceId: `${place.sourceId}-meanwhile` };
}
