import type { Finding } from "@waypost/server/doctor";
import type { Command } from "./command.ts";
import { styled } from "./terminal.ts";

export const doctorCommands: readonly Command[] = [
  {
    name: "doctor",
    about:
      "Check configuration, data folder, disk, open files, database, clock, port and service, each with its fix; exit code 1 on a problem",
    words: "",
    options: { json: "Print JSON" },
    async run() {
      const [{ readConfig }, { runDoctor }] = await Promise.all([
        import("@waypost/server/config"),
        import("@waypost/server/doctor"),
      ]);
      const findings = await runDoctor(readConfig);
      const isWell = findings.every(({ state }) => state !== "problem");
      return {
        data: { healthy: isWell, findings },
        text: findings.map(lineOf).join("\n"),
        ...(isWell ? {} : { exitCode: 1 }),
      };
    },
  },
];

const marks = {
  ok: ["green", "ok     "],
  warning: ["yellow", "warning"],
  problem: ["red", "PROBLEM"],
} as const;

function lineOf({ check, state, says, fix }: Finding): string {
  const [style, mark] = marks[state];
  const line = `${styled(style, mark)}  ${check}: ${says}`;
  return fix === null ? line : `${line}\n         → ${fix}`;
}
