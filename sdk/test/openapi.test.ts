import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { openApiTypes } from "../scripts/openapi-types.ts";

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

test("the committed types are those of the committed document; npm run openapi writes both", async () => {
  assert.equal(await read("sdk/src/openapi.ts"), await openApiTypes());
});

test("the error codes are those of the error reference", async () => {
  const documented = Array.from(
    // The dashboard's own errors reach no client of the API.
    (await read("docs/reference/errors.md")).matchAll(/^\| `(\w+)` \|(?!.*only in the dashboard)/gm),
    ([, code]) => code,
  );
  const [, union = ""] = (await read("sdk/src/openapi.ts")).split("export type ErrorCode =");
  const typed = Array.from(union.matchAll(/"(\w+)"/g), ([, code]) => code);

  assert.ok(documented.length > 15);
  assert.deepEqual(new Set(typed), new Set(documented));
});
