import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { Webhook } from "standardwebhooks";
import { defer } from "../server/test/defer.ts";
import { createTestDatabase, databaseUrl } from "../server/test/postgres.ts";
import { header, isSigned, makeCertificates, openReceiver, type Received } from "../server/test/webhook-receiver.ts";
import { newDataFolder, until } from "./service.ts";

/** A service that trusts the tests' authority and may reach the receiver on loopback. */
export async function setUp(t: TestContext) {
  const certificates = await makeCertificates();
  const receiver = await openReceiver(certificates);
  defer(t, () => receiver.close());
  const dataFolder = await newDataFolder(t);
  const authority = join(dataFolder, "authority.pem");
  await writeFile(authority, certificates.authority);
  const database = await createTestDatabase();
  defer(t, () => database.drop());
  const environment = {
    WAYPOST_DATA_DIR: dataFolder,
    DATABASE_URL: databaseUrl(database.connection),
    WAYPOST_OUTBOUND_ALLOW: "127.0.0.0/8",
    WAYPOST_WEBHOOK_PORTS: `443,${receiver.port}`,
    NODE_EXTRA_CA_CERTS: authority,
  };
  return { receiver, environment };
}

export const liveKeyIn = (output: string) => /svc_live_\w+/.exec(output)?.[0] ?? "";

type Answer = { status: number; headers: Headers; body: Record<string, any> };

/** Calls the service; what it had no database for, and did nothing of, is sent again as it asks. */
export async function call(
  address: string,
  key: string,
  method: string,
  path: string,
  json?: unknown,
  extra: Record<string, string> = {},
): Promise<Answer> {
  let answer = await callOnce(address, key, method, path, json, extra);
  await until(async () => {
    if (!isUndone(answer)) return true;
    answer = await callOnce(address, key, method, path, json, extra);
    return !isUndone(answer);
  });
  return answer;
}

function isUndone({ body }: Answer): boolean {
  const { error } = body;
  return error?.code === "temporarily_unavailable" && String(error.message).includes("nothing was done");
}

async function callOnce(
  address: string,
  key: string,
  method: string,
  path: string,
  json: unknown,
  extra: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(`${address}/api/v1${path}`, {
    method,
    headers: { "API-KEY": key, ...(json === undefined ? {} : { "Content-Type": "application/json" }), ...extra },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, any> };
}

export function assertGenuine(received: Received | undefined, secret: string) {
  assert.ok(received && isSigned(received, secret));
  const { headers, raw, body } = received;
  const trio = {
    "webhook-id": header(headers, "webhook-id"),
    "webhook-timestamp": header(headers, "webhook-timestamp"),
    "webhook-signature": header(headers, "webhook-signature"),
  };
  assert.deepEqual(new Webhook(secret).verify(raw.toString("utf8"), trio), body);
}
