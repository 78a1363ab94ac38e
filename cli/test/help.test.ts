import assert from "node:assert/strict";
import { test } from "node:test";
import { refuse, startScripted } from "../../sdk/test/scripted-server.ts";
import { commands } from "../src/commands.ts";
import { examples } from "../src/examples.ts";
import { optionValue } from "../src/option-values.ts";
import { waypost } from "./waypost.ts";

test("every option that takes a value says what it is", async () => {
  const undescribed = commands.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, about]) =>
      typeof about === "object" || option === "json" || optionValue(name, option) ? [] : [`${name} --${option}`],
    ),
  );
  const { out } = await waypost(["keys", "create", "--help"]);

  assert.deepEqual(undescribed, []);
  assert.match(out, /--environment <live\/test> .*\n[^]*--expires <DATE> /);
});

test("every help has an example, and every example is a command with options that it takes", async () => {
  for (const { name, options } of commands) {
    const lines = examples[name] ?? [];
    assert.ok(lines.length > 0, name);
    for (const line of lines) {
      assert.ok(line === name || line.startsWith(`${name} `), line);
      for (const [, option = ""] of line.matchAll(/ --([\w-]+)/g)) assert.ok(option in options, line);
    }
  }

  for (const words of [["--help"], ["keys", "--help"], ["backup", "--help"]]) {
    const { out } = await waypost(words);
    assert.match(out, /\nExamples?:\n {2}npx waypost \w/, words.join(" "));
  }
});

test("what the service refuses in an option is said by the option's name, with exit code 2", async (t) => {
  const details = ["/input/hl: must match pattern x", "/input/q: must have at most 200 characters"];
  const refusal = { code: "invalid_request", message: "The request has a bad body.", details, retryable: false };
  const { baseUrl } = await startScripted(t, (response) =>
    response
      .writeHead(400, { "X-Request-Id": "req_1" })
      .end(JSON.stringify({ error: refusal, request_id: "req_1", schema_version: "2026-09-22" })),
  );
  const environment = { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_x" };

  const { code, error } = await waypost(["scrape", "coffee", "--hl", "x"], environment);
  const program = await waypost(["scrape", "coffee", "--hl", "x", "--json"], environment);
  const page = await waypost(["search", "coffee", "--page", "99"], environment);

  assert.equal(code, 2);
  assert.equal(
    error,
    "--hl must match pattern x. The query must have at most 200 characters.\n  invalid_request, request req_1\n",
  );
  assert.equal(JSON.parse(program.error).error.request_id, "req_1");
  assert.deepEqual([page.code, page.error], [2, "--page must be 1 to 10.\n"]);
});

test("a failure of the service comes with its code and the id of the request", async (t) => {
  const { baseUrl } = await startScripted(t, refuse(404, "not_found", false));
  const environment = { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_x" };

  const { code, error } = await waypost(["jobs", "show", `job_${"0".repeat(26)}`], environment);

  assert.equal(code, 4);
  assert.match(error, /\n {2}not_found, request req_\w+\n$/);
});

test("a terminal gets color, and a file none", async () => {
  const colored = await waypost(["doctor"], { WAYPOST_PORT: "many", FORCE_COLOR: "1" });
  const plain = await waypost(["doctor"], { WAYPOST_PORT: "many" });

  assert.ok(colored.out.startsWith("\u001b[31mPROBLEM\u001b[39m"), JSON.stringify(colored.out));
  assert.ok(plain.out.startsWith("PROBLEM"), plain.out);
});
