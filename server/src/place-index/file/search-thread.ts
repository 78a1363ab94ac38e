// A thread that searches the index file of its machine, one question after the other.
import { parentPort, workerData } from "node:worker_threads";
import type { Ask, openReader as OpenReader } from "../reader.ts";
import { SearchEnded } from "../reads.ts";
import { layout } from "../schema.ts";
import { isDamage, isPassing } from "./damage.ts";
import { openIndexFolder } from "./folder.ts";
import type { Question, Reply, SearchThreadSettings } from "./threads.ts";

/** How often `current` is looked at while questions come. */
const lookMs = 100;
/** How often it is looked at otherwise, so that the space of an old file becomes free. */
const idleMs = 1_000;

const { path, installation, reader: readerModule, stop } = workerData as SearchThreadSettings; // threads.ts passes it
const port = parentPort;
if (!port) throw new Error("this file runs as a thread");
const { openReader } = (await import(readerModule)) as { openReader: typeof OpenReader };
const folder = openIndexFolder(path);
let opened: { name: string; reader: ReturnType<typeof OpenReader>; generation: number } | undefined;
/** The file that was opened last, or could not be. */
let tried: string | undefined;
/** A file that proved damaged or is not ours; `current` will name another. */
let refused: string | undefined;
let lookedAt = -Infinity;
let idleTimer: NodeJS.Timeout | undefined;

port.on("message", (question: Question) => {
  port.postMessage(reply(question), []);
  idleTimer ??= setTimeout(lookAgain, idleMs).unref();
});

/** Looks at `current` for as long as a file is open. */
function lookAgain(): void {
  idleTimer = undefined;
  try {
    look(0);
  } catch (error) {
    replyTo(error);
  }
  if (opened) idleTimer = setTimeout(lookAgain, idleMs).unref();
}

function reply({ ask, least, until }: Question): Reply {
  try {
    look(lookMs);
    if (opened && opened.generation < least) {
      look(0);
      if (opened) opened.generation = opened.reader.identity()?.generation ?? 0;
    }
    if (!opened) return { unavailable: "There is no place index yet." };
    const { reader } = opened;
    if (ask === null) return { generation: (opened.generation = reader.identity()?.generation ?? 0) };
    if (opened.generation < least) return { unavailable: "The place index is behind the catalog." };
    return { answer: reader.answer(ask as Ask, { until, stop }) };
  } catch (error) {
    return replyTo(error);
  }
}

function replyTo(error: unknown): Reply {
  if (isDamage(error)) {
    refuse(tried);
    if (tried !== undefined) folder.markDamaged(tried);
    return { unavailable: "The place index is damaged, and is built again.", isDamaged: true };
  }
  if (isPassing(error)) {
    close();
    return { unavailable: error instanceof Error ? error.message : String(error) };
  }
  return error instanceof SearchEnded ? { isOver: true } : { error };
}

/** Opens the file that `current` names, beside the one before, which nobody searches any longer. */
function look(everyMs: number): void {
  const now = performance.now();
  if (opened && now - lookedAt < everyMs) return;
  lookedAt = now;
  const name = folder.current();
  if (name !== undefined && name === opened?.name) return;
  close();
  if (name === undefined || name === refused) return;
  // Deleted since `current` was read: the next look finds its successor.
  if (folder.inode(name) === undefined) return;
  tried = name;
  const reader = openReader(folder.pathOf(name));
  opened = { name, reader, generation: 0 };
  const identity = reader.identity();
  if (identity?.installation !== installation || identity.layout !== layout) return refuse(name);
  opened.generation = identity.generation;
}

function refuse(name: string | undefined): void {
  close();
  refused = name;
}

function close(): void {
  opened?.reader.close();
  opened = undefined;
}
