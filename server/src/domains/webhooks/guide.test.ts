import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makeTempFolder, removeFolder } from "../../../test/temp-folder.ts";
import { header } from "../../../test/webhook-receiver.ts";
import { startWebhooks } from "../../../test/webhooks.ts";
import { attemptsMax } from "./deliveries/schedule.ts";
import { eventDefinitions } from "./events/event-types.ts";
import { deliveryHeaderSchemas } from "./events/signature.ts";

const run = promisify(execFile);
const guide = fileURLToPath(new URL("../../../../docs/guides/webhooks.md", import.meta.url));

/** The code under one heading of the guide. */
async function example(heading: string, language: string): Promise<string> {
  const text = await readFile(guide, "utf8");
  const part = text.split(`### ${heading}\n`)[1] ?? "";
  const code = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(part)?.[1];
  return code ?? assert.fail(`the guide has no ${heading}`);
}

type Case = { name: string; timestamp: string; signature: string; body: Buffer; secrets: string[]; genuine: boolean };

/** A real delivery, and what an attacker could make of it. */
async function givenCases(t: TestContext): Promise<{ folder: string; cases: Case[] }> {
  const { dispatcher, receiver, givenEndpoint, givenEvent } = await startWebhooks(t);
  const { uuid, secret } = await givenEndpoint();
  await givenEvent(uuid, { operation: "Grüße 🌍" });
  await dispatcher.drain();
  const [{ raw, headers } = assert.fail("nothing was received")] = receiver.received;
  const timestamp = header(headers, "x-svc-timestamp");
  const signature = header(headers, "x-svc-signature");
  const genuine = { timestamp, signature, body: raw, secrets: [secret], genuine: true };
  const forged = { ...genuine, genuine: false };
  const otherSecret = `whsec_${Buffer.alloc(32).toString("base64")}`;
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  return {
    folder,
    cases: [
      { ...genuine, name: "genuine" },
      { ...genuine, name: "during a rotation", secrets: [otherSecret, secret] },
      { ...forged, name: "other secret", secrets: [otherSecret] },
      { ...forged, name: "changed body", body: Buffer.concat([raw, Buffer.from(" ")]) },
      { ...forged, name: "moved timestamp", timestamp: String(Number(timestamp) - 60) },
      { ...forged, name: "no version", signature: signature.replace("v1=", "") },
      { ...forged, name: "no signature", signature: "" },
      { ...forged, name: "no timestamp", timestamp: "" },
    ],
  };
}

/** A signature that is right, of ten minutes ago: only the replay window speaks against it. */
async function replayed(cases: readonly Case[]): Promise<Case> {
  const { createHmac } = await import("node:crypto");
  const [first = assert.fail("no case")] = cases;
  const timestamp = String(Number(first.timestamp) - 600);
  const hmac = createHmac("sha256", first.secrets[0] ?? "").update(`${timestamp}.`);
  const signature = `v1=${hmac.update(first.body).digest("hex")}`;
  return { ...first, name: "replayed", timestamp, signature, genuine: false };
}

async function isInstalled(command: string, words: readonly string[]): Promise<boolean> {
  return run(command, words).then(
    () => true,
    () => false,
  );
}

async function assertVerdicts(cases: readonly Case[], verdict: (each: Case) => Promise<string>) {
  for (const each of cases) assert.equal(await verdict(each), String(each.genuine), each.name);
}

test("the guide's TypeScript accepts a delivery and refuses forgeries and replays", async (t) => {
  const { folder, cases } = await givenCases(t);
  await writeFile(join(folder, "verify.ts"), await example("TypeScript", "ts"));
  const { isFromWaypost } = (await import(join(folder, "verify.ts"))) as {
    isFromWaypost(headers: Record<string, string>, body: Buffer, secrets: string[]): boolean;
  };

  await assertVerdicts([...cases, await replayed(cases)], async ({ timestamp, signature, body, secrets }) =>
    String(isFromWaypost({ "x-svc-timestamp": timestamp, "x-svc-signature": signature }, body, secrets)),
  );
});

test("the guide's TypeScript takes the headers of Node's own server under strict", async (t) => {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  await writeFile(join(folder, "verify.ts"), await example("TypeScript", "ts"));
  await writeFile(
    join(folder, "receive.ts"),
    `import { createServer } from "node:http";
import { isFromWaypost } from "./verify.ts";
createServer(({ headers }) => isFromWaypost(headers, Buffer.alloc(0), []));
`,
  );

  const packages = fileURLToPath(new URL("../../../../node_modules", import.meta.url));
  const options = "--noEmit --strict --module nodenext --allowImportingTsExtensions --types node".split(" ");
  const words = [...options, "--typeRoots", join(packages, "@types"), join(folder, "receive.ts")];
  await run(join(packages, ".bin/tsc"), words, { cwd: folder });
});

test("the guide's Python accepts a delivery and refuses forgeries and replays", async (t) => {
  if (!(await isInstalled("python3", ["--version"]))) return t.skip("python3 is not on this machine");
  const { folder, cases } = await givenCases(t);
  const driver = `
import json, sys
case = json.loads(sys.argv[1])
headers = {"x-svc-timestamp": case["timestamp"], "x-svc-signature": case["signature"]}
print(str(is_from_waypost(headers, bytes.fromhex(case["body"]), case["secrets"])).lower())
`;
  await writeFile(join(folder, "verify.py"), (await example("Python", "python")) + driver);

  await assertVerdicts([...cases, await replayed(cases)], async (each) => {
    const words = [join(folder, "verify.py"), JSON.stringify({ ...each, body: each.body.toString("hex") })];
    return (await run("python3", words)).stdout.trim();
  });
});

test("the guide's Go accepts a delivery and refuses forgeries and replays", async (t) => {
  if (!(await isInstalled("go", ["version"]))) return t.skip("go is not on this machine");
  const { folder, cases } = await givenCases(t);
  await mkdir(join(folder, "waypost"));
  await writeFile(join(folder, "go.mod"), "module example\n\ngo 1.19\n");
  await writeFile(join(folder, "waypost", "verify.go"), await example("Go", "go"));
  await writeFile(
    join(folder, "main.go"),
    `package main

import (
	"encoding/hex"
	"example/waypost"
	"fmt"
	"net/http"
	"os"
)

func main() {
	headers := http.Header{}
	headers.Set("X-SVC-Timestamp", os.Args[1])
	headers.Set("X-SVC-Signature", os.Args[2])
	body, _ := hex.DecodeString(os.Args[3])
	fmt.Println(waypost.IsFromWaypost(headers, body, os.Args[4:]))
}
`,
  );
  await run("go", ["build", "-o", "verify", "."], { cwd: folder });

  await assertVerdicts([...cases, await replayed(cases)], async ({ timestamp, signature, body, secrets }) => {
    const words = [timestamp, signature, body.toString("hex"), ...secrets];
    return (await run(join(folder, "verify"), words)).stdout.trim();
  });
});

test("the guide's openssl lines accept a delivery and refuse forgeries", async (t) => {
  if (!(await isInstalled("openssl", ["version"]))) return t.skip("openssl is not on this machine");
  const { folder, cases } = await givenCases(t);
  const script = await example("openssl", "sh");

  const withOneSecret = cases.filter(({ secrets }) => secrets.length === 1);
  await assertVerdicts(withOneSecret, async ({ timestamp, signature, body, secrets }) => {
    await writeFile(join(folder, "body.json"), body);
    const env = { PATH: process.env["PATH"], TIMESTAMP: timestamp, SIGNATURE: signature, SECRET: secrets[0] };
    const { stdout } = await run("sh", ["-c", script], { cwd: folder, env });
    return String(stdout.trim() === "signed by Waypost");
  });
});

test("the guide lists every event, every header of a delivery and the number of attempts", async () => {
  const text = await readFile(guide, "utf8");

  for (const [name, { description }] of Object.entries(eventDefinitions)) {
    assert.ok(text.includes(`| \`${name}\` | ${description} |`), name);
  }
  for (const name of Object.keys(deliveryHeaderSchemas)) assert.ok(text.includes(`\`${name}\``), name);
  assert.ok(text.includes(`| \`X-SVC-Delivery-Attempt\` | 1 to ${attemptsMax};`));
});
