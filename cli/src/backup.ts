import { resolve } from "node:path";
import type { Command } from "./command.ts";
import { UsageProblem } from "./failures.ts";
import { optional, withOperator } from "./operator.ts";

const options = {
  "passphrase-file":
    "Encrypt or decrypt with the first line of this file (- for standard input); else WAYPOST_BACKUP_PASSPHRASE",
  json: "Print JSON",
};

export const backupCommands: readonly Command[] = [
  {
    name: "backup",
    about: "Write the whole installation to a file, while it runs",
    words: "FILE",
    options,
    async run(values, words) {
      const file = fileOf(words);
      const { encrypted } = await withOperator((operator) =>
        operator.backUp(file, optional(values, "passphrase-file")),
      );
      const care = encrypted
        ? "It is encrypted; without its passphrase it is worth nothing."
        : "It holds every secret of this installation unencrypted: keep it where only you can read it.";
      return { data: { file, encrypted }, text: `Wrote ${file}. ${care}` };
    },
  },
  {
    name: "restore",
    about: "Fill an empty installation from a backup",
    words: "FILE",
    options,
    async run(values, words) {
      const file = fileOf(words);
      const [{ readConfig }, { restoreBackup }] = await Promise.all([
        import("@waypost/server/config"),
        import("@waypost/server/operator"),
      ]);
      await restoreBackup(readConfig(), file, optional(values, "passphrase-file"));
      return {
        data: { file, restored: true },
        text: `Restored ${file}. Start the service as before: it answers, and holds its deliveries, jobs, collections and exports. When the original no longer runs, run \`npx waypost resume\`.`,
      };
    },
  },
  {
    name: "resume",
    about: "Let a restored installation deliver webhooks and run jobs, collections and exports",
    words: "",
    options: { json: "Print JSON" },
    async run() {
      const resumed = await withOperator((operator) => operator.resume());
      const text = resumed ? "Work goes on." : "Nothing was held: this installation works already.";
      return { data: { resumed }, text };
    },
  },
];

function fileOf([file, ...more]: string[]): string {
  if (file === undefined || more.length > 0) throw new UsageProblem("Name one file; add --help to see how.");
  return resolve(file);
}
