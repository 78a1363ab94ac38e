// Pages per second from the replay server beside a bare undici loop that only unpacks and parses the
// same bytes, each in a process of its own: npm run bench -- webmap [--seconds 28]
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { inTurns } from "./figures.ts";
import { numberAfter } from "./places/measure.ts";
import type { Measured } from "./webmap/loop.ts";

const loop = fileURLToPath(new URL("./webmap/loop.ts", import.meta.url));
const replayServer = fileURLToPath(new URL("../e2e/webmap/replay.ts", import.meta.url));

export async function run(words: string[]): Promise<void> {
  const seconds = numberAfter(words, "--seconds", 28);
  const server = spawn(process.execPath, [replayServer], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(server.stdout, "data")) as [Buffer];
  const url = /http:\S+/.exec(line.toString())?.[0] ?? "";
  const ours = fork(loop, ["webmap", url]);
  const bare = fork(loop, ["bare", url]);
  try {
    const page = await fetch(`${url}/search?q=coffee`);
    console.log(`one page: 20 businesses, ${Math.round((await page.arrayBuffer()).byteLength / 1024)} KB unpacked`);
    for (const child of [ours, bare]) await turn(child, 2);
    const memory = { ours: 0, bare: 0 };
    const measured = async (name: keyof typeof memory, child: ChildProcess, length: number) => {
      const { perSecond, peakMb } = await turn(child, length);
      memory[name] = Math.max(memory[name], peakMb);
      return perSecond;
    };
    const figure = await inTurns(
      seconds / 2,
      (length) => measured("ours", ours, length),
      (length) => measured("bare", bare, length),
    );
    console.log(`webmap source  ${rate(figure.ours)}, ${Math.round(memory.ours)} MB at most`);
    console.log(`bare undici    ${rate(figure.theirs)}, ${Math.round(memory.bare)} MB at most`);
    console.log(`x ${figure.ratio?.toFixed(2)} of bare undici with JSON.parse (at least 0.6)`);
  } finally {
    for (const child of [ours, bare, server]) child.kill();
  }
}

function rate(perSecond = Number.NaN): string {
  return `${Math.round(perSecond)} pages/s`;
}

async function turn(child: ChildProcess, seconds: number): Promise<Measured> {
  child.send({ seconds });
  const [measured] = (await once(child, "message")) as [Measured];
  return measured;
}
