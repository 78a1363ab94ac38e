// A dispatcher in a process of its own, to be killed. It is told everything by its first message.
import { createDeliveryQueue, type DeliveryLimits } from "../../server/src/domains/webhooks/index.ts";
import { createKeyRing } from "../../server/src/platform/crypto/sealing.ts";
import { silentLog } from "../../server/src/platform/log.ts";
import { createOutbound } from "../../server/src/platform/net/outbound.ts";
import { type Connection, createDatabase } from "../../server/src/platform/postgres/database.ts";
import { listenForNotifications } from "../../server/src/platform/postgres/notifications.ts";
import { createVault } from "../../server/src/platform/postgres/vault.ts";
import { noTracing } from "../../server/src/platform/tracing.ts";
import { startQueues } from "../../server/src/worker/index.ts";
import { fastClock } from "./fast-clock.ts";

export type DispatcherOrder = {
  connection: Connection;
  masterKey: string;
  port: number;
  epochMs: number;
  factor: number;
  limits: Partial<DeliveryLimits>;
  pollMs: number;
};

process.once("message", (order: DispatcherOrder) => {
  const { connection, masterKey, port, epochMs, factor, limits, pollMs } = order;
  const ring = createKeyRing([masterKey]);
  const notifications = listenForNotifications(connection, silentLog);
  const queue = createDeliveryQueue({
    db: createDatabase({ connection, connectionsMax: 4, log: silentLog }),
    vault: createVault({ ring, reload: async () => ring }),
    outbound: createOutbound({ allow: ["127.0.0.0/8"] }),
    ports: [port],
    notifications,
    clock: fastClock(epochMs, factor),
    log: silentLog,
    limits,
  });
  const worker = startQueues({ queues: [queue], notifications, log: silentLog, tracing: noTracing, pollMs });
  process.send?.("started");
  process.once("SIGTERM", () => void worker.stop().then(() => process.exit()));
});
process.on("disconnect", () => process.exit());
