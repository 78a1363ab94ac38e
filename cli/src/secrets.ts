import type { Command } from "./command.ts";
import { withOperator } from "./operator.ts";

export const secretCommands: readonly Command[] = [
  {
    name: "secrets rekey",
    about: "Seal the stored secrets under a new master key",
    words: "",
    options: { json: "Print JSON" },
    async run() {
      const rekeyed = await withOperator(async ({ secrets }) => (await secrets()).rekey());
      const text = `Resealed ${rekeyed.resealed} secrets. The master key is in ${rekeyed.kept_in}.`;
      return { data: rekeyed, text };
    },
  },
];
