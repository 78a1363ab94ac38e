// Each fault of e2e/faults.ts strikes a service of two API processes and two workers under load, on loopback and for
// some seconds: `npm run soak -- faults [--write] [hangs]`. With --write the table goes into docs/reliability.md; a word
// chooses the faults that have it in their name.
import { readFile, writeFile } from "node:fs/promises";
import { type FaultReport, faults, suffer } from "../../e2e/faults.ts";

const page = new URL("../../docs/reliability.md", import.meta.url);
const head =
  "| fault | what clients saw | slowest attempt | recovery | jobs | lost | doubled |\n|---|---|---|---|---|---|---|";

export async function run(words: string[]): Promise<void> {
  const lines: string[] = [];
  const chosen = words.filter((word) => !word.startsWith("--"));
  for (const fault of faults.filter(({ name }) => chosen.every((word) => name.includes(word)))) {
    const report = await suffer(fault);
    lines.push(lineOf(report));
    console.log(lines.at(-1));
    if (report.lost + report.doubled > 0) process.exitCode = 1;
  }
  if (!words.includes("--write")) return;
  const text = await readFile(page, "utf8");
  const [before = "", , after = ""] = text.split(/(<!-- faults -->[^]*<!-- end of faults -->)/);
  const table = `<!-- faults -->\n\n${head}\n${lines.join("\n")}\n\n<!-- end of faults -->`;
  await writeFile(page, `${before}${table}${after}`);
}

function lineOf({ fault, seen, slowestSeconds, recoverySeconds, jobs, lost, doubled }: FaultReport): string {
  const answers = [...seen].map(([answer, count]) => `${count} × ${answer}`).join(", ") || "nothing but 202";
  const seconds = [slowestSeconds, recoverySeconds].map((each) => `${each.toFixed(1)} s`);
  return `| ${[fault, answers, ...seconds, jobs, lost, doubled].join(" | ")} |`;
}
