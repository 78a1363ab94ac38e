import type { Command } from "./command.ts";
import { UsageProblem } from "./failures.ts";
import { withOperator } from "./operator.ts";
import { table } from "./table.ts";
import { printable } from "./terminal.ts";

/** People ask to leave, or to be shown otherwise. */
export const ownersRequestCommands: readonly Command[] = [
  {
    name: "catalog suppress",
    about: "Stop showing a business for good, and empty what is stored of it",
    words: "ID_PHONE_EMAIL_OR_DOMAIN",
    options: { undo: { flag: "Show it again; what was emptied stays empty" }, json: "Print JSON" },
    async run(values, [asked, ...rest]) {
      if (asked === undefined || rest.length > 0) {
        throw new UsageProblem("Give one id, phone number with its country code, e-mail address or domain.");
      }
      if (values["undo"] === true) {
        await withOperator(async ({ ownersRequests }) => (await ownersRequests()).undoSuppression(asked));
        return { data: { asked, undone: true }, text: `${printable(asked)} may be shown again.` };
      }
      const data = await withOperator(async ({ ownersRequests }) => (await ownersRequests()).suppress(asked));
      const { kind, results, exports } = data;
      const stored = `${results} stored results emptied, ${exports} exports expired`;
      return { data, text: `${printable(asked)} is suppressed by its ${kind}: ${stored}.` };
    },
  },
  {
    name: "catalog correct",
    about: "Show fields of a business otherwise than its sources do; an empty value removes what is there",
    words: "ID FIELD=VALUE…",
    options: { undo: { flag: "Show again what the sources say" }, json: "Print JSON" },
    async run(values, [id, ...fields]) {
      if (id === undefined || (values["undo"] === true) === fields.length > 0) {
        throw new UsageProblem("Give an ID with one or more FIELD=VALUE, or with --undo alone.");
      }
      if (values["undo"] === true) {
        await withOperator(async ({ ownersRequests }) => (await ownersRequests()).undoCorrections(id));
        return { data: { asked: id, undone: true }, text: `${printable(id)} is shown as its sources say.` };
      }
      const data = await withOperator(async ({ ownersRequests }) => (await ownersRequests()).correct(id, fields));
      return { data, text: `Corrected ${data.fields.map(({ field }) => field).join(", ")} of ${printable(id)}.` };
    },
  },
  {
    name: "catalog requests",
    about: "List what is suppressed and corrected",
    words: "",
    options: { json: "Print JSON" },
    async run() {
      const data = await withOperator(async ({ ownersRequests }) => (await ownersRequests()).list());
      const rows = [
        ...data.suppressions.map(({ asked, kind, created_at: at }) => [printable(asked), `suppressed by ${kind}`, at]),
        ...data.corrections.map(({ asked, field, value, created_at: at }) => [
          printable(asked),
          `${field}=${printable(value ?? "")}`,
          at,
        ]),
      ];
      const counts = `${data.suppressions.length} suppressed, ${data.corrections.length} fields corrected`;
      return { data, text: `${table(["BUSINESS", "REQUEST", "SINCE"], rows)}\n${counts}` };
    },
  },
];
