// Each fault of e2e/faults.ts strikes a service of two API processes and two workers under load, on loopback and for
// some seconds: `npm run soak -- faults [hangs]`. Words choose the faults that have them in their name.
import { type FaultReport, faults, suffer } from "../../e2e/faults.ts";

export async function run(words: string[]): Promise<void> {
  console.log("| fault | what clients saw | slowest attempt | recovery | jobs | lost | doubled |");
  for (const fault of faults.filter(({ name }) => words.every((word) => name.includes(word)))) {
    const report = await suffer(fault);
    console.log(lineOf(report));
    if (report.lost + report.doubled > 0) process.exitCode = 1;
  }
}

function lineOf({ fault, seen, slowestSeconds, recoverySeconds, jobs, lost, doubled }: FaultReport): string {
  const answers = [...seen].map(([answer, count]) => `${count} × ${answer}`).join(", ") || "nothing but 202";
  const seconds = [slowestSeconds, recoverySeconds].map((each) => `${each.toFixed(1)} s`);
  return `| ${[fault, answers, ...seconds, jobs, lost, doubled].join(" | ")} |`;
}
