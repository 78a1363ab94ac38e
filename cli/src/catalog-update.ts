import type { UpdateView } from "@waypost/server/operator";
import { changing, counted } from "./catalog-work.ts";
import type { Command } from "./command.ts";
import { UsageProblem } from "./failures.ts";
import { table } from "./table.ts";
import { printable } from "./terminal.ts";

export const catalogUpdateCommand: Command = {
  name: "catalog update",
  about: "Bring data sets of publishers to what these publish now",
  words: "[NAME]",
  options: { all: { flag: "Every data set that came from a publisher" }, json: "Print JSON" },
  async run(values, words) {
    const [name, ...further] = words;
    if (further.length > 0 || (name === undefined) !== (values["all"] === true))
      throw new UsageProblem("Give one NAME, or --all; add --help to see how.");
    const views = await changing(values, (catalog, watch) => catalog.update(name, watch));
    const hasFailed = views.some(({ state }) => state === "failed");
    return { data: { data_sets: views }, text: textOf(views), exitCode: hasFailed ? 1 : 0 };
  },
};

function textOf(views: readonly UpdateView[]): string {
  if (views.length === 0) return "No data set came from a publisher: import newer files under the same names.";
  return table(
    ["NAME", "STATE", ""],
    views.map(({ name, state, imported, error }) => {
      const { added, changed, closed } = imported ?? { added: 0, changed: 0, closed: 0 };
      const changes = `${counted(added)} new, ${counted(changed)} changed, ${counted(closed)} closed`;
      return [printable(name), state, error === undefined ? (imported ? changes : "") : printable(error)];
    }),
  );
}
