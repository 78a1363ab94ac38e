import assert from "node:assert/strict";
import { test } from "node:test";
import { bigFolders, longFunctions, reasons } from "../../scripts/sizes.ts";

const lines = (count: number) => Array.from({ length: count }, (_, at) => `  call(${at});`).join("\n");

test("a function of more than 70 lines is found, without its comments and the functions inside it", () => {
  const inner = `  function inner() {\n${lines(50)}\n  }`;
  const comments = "  // A word.\n\n".repeat(50);

  assert.deepEqual(longFunctions("a.ts", `function short() {\n${lines(68)}\n}`), []);
  assert.deepEqual(longFunctions("a.ts", `function long() {\n${lines(69)}\n}`), [{ name: "a.ts long", lines: 71 }]);
  assert.deepEqual(longFunctions("a.ts", `function outer() {\n${inner}\n${comments}${lines(60)}\n}`), []);
  assert.deepEqual(longFunctions("a.ts", `export const f = () => {\n${lines(69)}\n};`), [{ name: "a.ts", lines: 71 }]);
});

test("a folder of more than 20 files is found", () => {
  const files = (count: number) => Array.from({ length: count }, (_, at) => `folder/${at}.ts`);

  assert.deepEqual(bigFolders([...files(20), "folder/deep/one.ts"]), []);
  assert.deepEqual(bigFolders(files(21)), [{ name: "folder", lines: 21 }]);
});

test("at most a dozen functions and a dozen folders have a reason to be larger", () => {
  const isFile = (name: string) => /\.tsx?( |$)/.test(name);
  const names = [...reasons.keys()];

  assert.ok(names.filter(isFile).length <= 12);
  assert.ok(names.filter((name) => !isFile(name)).length <= 12);
});
