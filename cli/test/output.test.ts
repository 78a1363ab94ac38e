import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { test } from "node:test";
import { type Answer, answer, startScripted } from "../../sdk/test/scripted-server.ts";
import { waypostProgram, startWaypost } from "./waypost.ts";

const hasFull = process.platform === "linux"; // only there is a file that is always full

test("output that cannot be written is a failure with a sentence", { skip: !hasFull }, async (t) => {
  const { baseUrl } = await startScripted(t, answer({ total: 0, businesses: [] }));
  const env = { PATH: process.env["PATH"], HOME: "/nowhere", WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_x" };

  for (const words of [["search", "coffee", "--csv"], ["keys", "generate"], ["--help"]]) {
    const stdio = ["ignore", openSync("/dev/full", "w"), "pipe"] as const;
    const child = spawn(process.execPath, [waypostProgram, ...words], { env, stdio: [...stdio] });
    let error = "";
    child.stderr?.on("data", (chunk) => (error += String(chunk)));

    assert.equal(await new Promise((resolve) => child.on("close", resolve)), 1, words.join(" "));
    assert.match(error, /^The output cannot be written: ENOSPC/, words.join(" "));
  }
});

test("a reader that leaves ends a command quietly: one that prints once, one that listens, one that bridges", async (t) => {
  const event = (id: string) => {
    const body = JSON.stringify({ id, type: "scrape.started", created_at: "2026-09-22", data: { job_id: id } });
    return `id: ${id}\nevent: scrape.started\ndata: ${JSON.stringify({ headers: {}, body })}\n\n`;
  };
  const events: Answer = (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write('event: stream.opened\ndata: {"secret":"whsec_x"}\n\n');
    let count = 0;
    const timer = setInterval(() => response.write(event(`evt_${(count += 1)}`)), 20);
    response.on("close", () => clearInterval(timer));
  };
  const tools: Answer = (response) =>
    response.writeHead(200, { "Content-Type": "application/json" }).end('{"jsonrpc":"2.0","id":1,"result":{}}');
  const { baseUrl } = await startScripted(t, (response, seen) =>
    (seen.url === "/mcp" ? tools : seen.url.endsWith("/stream") ? events : answer({ businesses: [] }))(response, seen),
  );
  const environment = { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_live_x" };

  for (const words of [["completion", "bash"], ["webhooks", "listen"], ["mcp"]]) {
    const child = startWaypost(words, environment);
    t.after(() => child.kill("SIGKILL"));
    let error = "";
    child.stderr.on("data", (chunk) => (error += String(chunk)));
    child.stdout.once("data", () => child.stdout.destroy());
    const asking = setInterval(() => child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'), 50);
    child.stdin.on("error", () => clearInterval(asking));

    const code = await new Promise((resolve) => child.on("exit", resolve));
    clearInterval(asking);

    assert.deepEqual([code, error], [0, ""], words.join(" "));
  }
});
