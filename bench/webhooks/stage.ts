import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createEndpoints, createWebhooks } from "../../server/src/domains/webhooks/index.ts";
import { type Clock, systemClock } from "../../server/src/platform/clock.ts";
import { createKeyRing } from "../../server/src/platform/crypto/sealing.ts";
import { newId, newUuid, uuidFromId } from "../../server/src/platform/ids.ts";
import { silentLog } from "../../server/src/platform/log.ts";
import { createCursors } from "../../server/src/platform/pages.ts";
import { createOutbound } from "../../server/src/platform/net/outbound.ts";
import { createDatabase, type Database } from "../../server/src/platform/postgres/database.ts";
import { startEmbedded } from "../../server/src/platform/postgres/embedded/index.ts";
import { migrate, readMigrations } from "../../server/src/platform/postgres/migrate.ts";
import { sql } from "../../server/src/platform/postgres/sql.ts";
import { agreeOnMasterKey, createVault } from "../../server/src/platform/postgres/vault.ts";
import { makeCertificates, type TestCertificates, trust } from "../../server/test/webhook-receiver.ts";
import { makeTempFolder, removeFolder } from "../../server/test/temp-folder.ts";

export const masterKey = "a master key for what is measured";

// Shared by all stages of a process: two authorities of one name are not told apart.
let trusted: Promise<TestCertificates> | undefined;

async function makeTrusted(): Promise<TestCertificates> {
  const certificates = await makeCertificates();
  trust(certificates);
  return certificates;
}

/** A database of its own on disk, a receiver process, and the parts that make events. */
export async function openStage({ clock = systemClock }: { clock?: Clock } = {}) {
  const folder = await makeTempFolder();
  const certificates = await (trusted ??= makeTrusted());
  await writeFile(join(folder, "authority.pem"), certificates.authority);
  await writeFile(join(folder, "certificate.pem"), certificates.certificate);
  await writeFile(join(folder, "key.pem"), certificates.key, { mode: 0o600 });

  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  const { connection } = postgres;
  await migrate(connection, await readMigrations());
  const db = createDatabase({ connection, connectionsMax: 20, log: silentLog });
  const ring = createKeyRing([masterKey]);
  await agreeOnMasterKey(db, ring);
  const vault = createVault({ ring, reload: async () => ring });

  const receiver = fork(fileURLToPath(new URL("receiver.ts", import.meta.url)), [folder], { stdio: "inherit" });
  const [{ port }] = (await once(receiver, "message")) as [{ port: number }];
  const outbound = createOutbound({ allow: ["127.0.0.0/8"] });
  const endpoints = createEndpoints({ db, vault, clock, outbound, ports: [port], cursors: createCursors(masterKey) });
  const webhooks = createWebhooks({ clock });

  /** An endpoint of an organization of its own. */
  async function givenEndpoint(path: string) {
    const organizationId = newUuid();
    await db.query(sql`
      insert into organizations (id, name, entitlement)
      values (${organizationId}, 'measured', 'active')
    `);
    const url = `https://127.0.0.1:${port}${path}`;
    const principal = { organizationId, keyId: "", environment: "live", scopes: new Set(), entitled: true } as const;
    const { endpoint } = await endpoints.create(
      { ...principal, scopes: new Set() },
      { url, event_types: ["scrape.completed"] },
    );
    return { uuid: uuidFromId("whe", endpoint.id) ?? "", organizationId, secret: endpoint.secret, url };
  }

  /** Tells of as many events, each of a job of its own, in one transaction. */
  async function givenEvents({ uuid, organizationId }: { uuid: string; organizationId: string }, count: number) {
    await db.transaction(async (tx) => {
      for (let made = 0; made < count; made += 1) {
        await webhooks.emit(tx, {
          organizationId,
          type: "scrape.completed",
          resource: { type: "scrape_job", id: newUuid() },
          requestId: newId("req"),
          traceparent: null,
          endpointId: uuid,
          data: {
            job_id: newId("req"),
            operation: "places.search",
            status: "succeeded",
            progress: { completed_queries: 1, total_queries: 1 },
            result_count: 20,
            error_class: null,
          },
        });
      }
    });
  }

  async function close() {
    await stopProcess(receiver);
    await outbound.close();
    await db.end();
    await postgres.stop();
    await removeFolder(folder);
  }

  return { folder, connection, db, vault, clock, outbound, port, receiver, givenEndpoint, givenEvents, close };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** How many deliveries have an attempt ahead of them. */
export async function countPending(db: Database): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    select count(*) as count
    from webhook_deliveries
    where run_at is not null
  `);
  return rows[0]?.count ?? 0;
}

export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM") {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

/** The value of `--name=value` among the words of a command, as a number. */
export function numberOf(words: readonly string[], name: string, fallback: number): number {
  const word = words.find((each) => each.startsWith(`--${name}=`));
  return word === undefined ? fallback : Number(word.slice(name.length + 3));
}
