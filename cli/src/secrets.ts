import type { Command } from "./commands.ts";

export const secretCommands: readonly Command[] = [
  {
    name: "secrets rekey",
    about: "Seal the stored secrets under a new master key",
    words: "",
    options: { json: "Print JSON" },
    async run() {
      // Loaded when needed: help and usage errors answer without the server's code.
      const { openOperator } = await import("@waypost/server/operator");
      const operator = await openOperator();
      try {
        const secrets = await operator.secrets();
        const rekeyed = await secrets.rekey();
        const text = `Resealed ${rekeyed.resealed} secrets. The master key is in ${rekeyed.kept_in}.`;
        return { data: rekeyed, text };
      } finally {
        await operator.close();
      }
    },
  },
];
