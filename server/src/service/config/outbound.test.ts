import assert from "node:assert/strict";
import { test } from "node:test";
import { startHttp } from "../../../test/local-servers.ts";
import { assertFails } from "../../../test/outbound.ts";
import { describeOutboundAllow, parseOutboundAllow } from "./outbound.ts";
import { openOutbounds } from "../outbounds.ts";

test("a block counts for the purpose before it, and one without for webhooks and sources", async (t) => {
  const { port } = await startHttp(t, (_request, response) => void response.end());
  const request = {
    url: `http://127.0.0.1:${port}/`,
    deadlineMs: 30_000,
    bytesMax: 1000,
    protocols: ["http:"],
  } as const;
  const reached = async (value: string) => {
    const { close, ...outbounds } = openOutbounds(parseOutboundAllow(value));
    t.after(close);
    const names: string[] = [];
    for (const [purpose, outbound] of Object.entries(outbounds)) {
      if ((await outbound.request(request).catch(() => undefined))?.status === 200) names.push(purpose);
      else await assertFails(outbound.request(request), "not_public");
    }
    return names;
  };

  assert.deepEqual(await reached(""), []);
  assert.deepEqual(await reached("127.0.0.0/8"), ["webhooks", "sources"]);
  assert.deepEqual(await reached(`enrichment=127.0.0.1:${port}`), ["enrichment"]);
  assert.deepEqual(await reached("imports=127.0.0.0/8, webhooks=127.0.0.0/8:1"), ["imports"]);
  assert.deepEqual(await reached("sources = 127.0.0.1, webhooks=127.0.0.1"), ["webhooks", "sources"]);
});

test("the exceptions are shown by purpose", () => {
  const shown = describeOutboundAllow(parseOutboundAllow("10.0.0.0/8, imports=[fd00::/8]:8443"));

  assert.equal(shown, "webhooks: 10.0.0.0/8; sources: 10.0.0.0/8; imports: [fd00::/8]:8443");
  assert.equal(describeOutboundAllow(parseOutboundAllow("")), "");
});
