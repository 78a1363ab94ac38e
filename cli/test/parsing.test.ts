import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { commands } from "../src/commands.ts";
import { waypost } from "./waypost.ts";

const run = promisify(execFile);

test("--version is the package's", async () => {
  const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));

  assert.deepEqual(await waypost(["--version"]), { code: 0, out: `${version}\n`, error: "" });
});

test("a service that cannot start ends its command with 1", async () => {
  const { code, error } = await waypost(["serve"], { WAYPOST_PORT: "many" });

  assert.equal(code, 1);
  assert.match(error, /^WAYPOST_PORT is "many"/);
});

test("a word that is no command is refused, with the one that was meant", async () => {
  for (const [words, message] of [
    [["serch", "coffee"], /^Unknown command 'serch'\. Did you mean search\?\n$/],
    [["webhooks", "lisst"], /^Unknown command 'lisst'\. Did you mean list\?\n$/],
    [["keys", "fly"], /^Unknown command 'fly'\./],
    [["help", "serch"], /^Unknown command 'serch'\. Did you mean search\?\n$/],
    [["serch", "--help"], /^Unknown command 'serch'\. Did you mean search\?\n$/],
    [["jobs", "lisst", "-h"], /^Unknown command 'lisst'\. Did you mean list\?\n$/],
    [["help", "jobs", "lisst"], /^Unknown command 'lisst'\. Did you mean list\?\n$/],
    [["keys"], /^Say what to do with keys: create, list, /],
    [["jobs", "list", "--statsu", "failed"], /^Unknown option '--statsu'\. Did you mean --status\?\n$/],
    [["jobs", "list", "all"], /^Unexpected word 'all'; `waypost jobs list --help`/],
    [["jobs", "show", "job_1", "job_2"], /^Unexpected word 'job_2'/],
    [["logout", "now"], /^Unexpected word 'now'/],
    [["jobs", "list", "--status"], /^Option '--status <STATUS>' argument missing\./],
    [["jobs", "show", "key_1"], /^'key_1' is no job_… id; `waypost jobs` shows them\.\n$/],
    [["search"], /^Say what to look for/],
    [["search", "coffee", "--page", "two"], /^--page takes a whole number/],
    [["search", "coffee", "--page", "0"], /^--page must be 1 to 10\.\n$/],
    [["search", "coffee", "--page", "99"], /^--page must be 1 to 10\.\n$/],
    [["completion", "tcsh"], /^Give one of bash, zsh, fish\.\n$/],
  ] as const) {
    const { code, out, error } = await waypost(words);

    assert.equal(code, 2, words.join(" "));
    assert.match(error, message, words.join(" "));
    assert.equal(out, "");
  }
});

test("two formats at once are refused before anything is sent", async () => {
  for (const words of [
    ["search", "coffee", "--json", "--csv"],
    ["scrape", "coffee", "--wait", "--csv", "--json"],
    ["results", "job_1", "--csv", "--json"],
  ]) {
    const { code, out, error } = await waypost(words, { WAYPOST_URL: "http://127.0.0.1:1" });

    assert.equal(code, 2, words.join(" "));
    assert.equal(out, "");
    const message = "--json and --csv are two formats; choose one.";
    assert.deepEqual(JSON.parse(error), { error: { code: "usage", message, details: [] } });
  }
});

test("every command has help, which needs neither a key nor a database", async () => {
  const sample = ["search", "webhooks create", "keys revoke", "serve"];
  assert.ok(sample.every((name) => commands.some((command) => command.name === name)));
  for (const name of sample) {
    const { code, out } = await waypost([...name.split(" "), "--help"]);
    assert.equal(code, 0, name);
    assert.match(out, new RegExp(`^Usage: waypost ${name} `));
    assert.equal((await waypost(["help", ...name.split(" ")])).out, out);
  }
  const overview = await waypost([]);
  assert.equal(overview.code, 0);
  for (const { name } of commands) assert.match(overview.out, new RegExp(`^  ${name.split(" ")[0]}\\b`, "m"));
});

test("a key among the words is refused before anything is sent, and is not repeated", async () => {
  const key = "svc_live_AbCdEfGh_0123456789012345678901234567890123abcd";
  for (const words of [
    ["search", "coffee", "--key", key],
    ["search", "coffee", `--api-key=${key}`],
    ["search", key],
    ["login", key],
    ["keys", "list", "--key"],
  ]) {
    const { code, out, error } = await waypost(words, { WAYPOST_URL: "http://127.0.0.1:1" });

    assert.equal(code, 2);
    assert.match(error, /^A key does not belong on the command line.*`waypost login`/);
    assert.ok(!`${out}${error}`.includes(key));
  }
});

test("bash completes commands, options, values, file names and shells", async () => {
  const { out: script } = await waypost(["completion", "bash"]);
  const complete = async (...words: string[]) => {
    const line = `COMP_WORDS=(waypost "$@"); COMP_CWORD=$#; _waypost; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await run("bash", ["-c", `${script}\n${line}`, "bash", ...words]);
    return stdout.split("\n").filter(Boolean);
  };

  assert.deepEqual(await complete("sea"), ["search"]);
  assert.deepEqual(await complete("keys", "r"), ["rotate", "revoke"]);
  assert.deepEqual(await complete("keys", "revoke", "key_1", "--re"), ["--reason"]);
  assert.deepEqual(await complete("search", "coffee", "--c"), ["--csv", "--columns"]);
  assert.deepEqual(await complete("completion", "z"), ["zsh"]);
  assert.deepEqual(await complete("keys", "create", "--environment", ""), ["live", "test"]);
  assert.deepEqual(await complete("jobs", "list", "--status", "c"), ["canceled"]);
  assert.deepEqual(await complete("search", "--ll", ""), []);
  const here = fileURLToPath(new URL("pars", import.meta.url));
  assert.deepEqual(await complete("collect", "dentists", "--output", here), [`${here}ing.test.ts`]);
  const firsts = new Set((await complete("")).filter((word) => !word.startsWith("-")));
  assert.deepEqual(firsts, new Set(commands.map(({ name }) => name.split(" ")[0])));
});

for (const shell of ["zsh", "fish"] as const) {
  test(`${shell} reads its completion script, which names every command`, async (t) => {
    const { out: script, code } = await waypost(["completion", shell]);

    assert.equal(code, 0);
    for (const { name } of commands) assert.ok(script.includes(name.split(" ").at(-1) ?? ""), name);
    const ofEnvironment = {
      zsh: '"keys create --environment") compadd -- live test',
      fish: "-l environment -x -a 'live test'",
    };
    const ofOutput = { zsh: '"collect --output") _files', fish: "-l output -r -F" };
    for (const each of [ofEnvironment, ofOutput]) assert.ok(script.includes(each[shell]), each[shell]);
    const isThere = await run(shell, ["--version"]).then(
      () => true,
      () => false,
    );
    if (!isThere) return t.diagnostic(`${shell} is not installed: its script was not read by it`);
    const checked = shell === "zsh" ? ["-n", "/dev/stdin"] : ["--no-execute", "/dev/stdin"];
    const reading = run(shell, checked);
    reading.child.stdin?.end(script);
    await reading;
  });
}
