import type { Config } from "./config.ts";
import { createBilling } from "./domains/billing/index.ts";
import { createBusinesses } from "./domains/businesses/index.ts";
import { createEnrichment } from "./domains/enrichment/index.ts";
import { createSignals } from "./domains/scrapes/index.ts";
import { createWebhooks } from "./domains/webhooks/index.ts";
import type { Installation } from "./installation.ts";
import { type Clock, systemClock } from "./platform/clock.ts";
import { createCounters } from "./platform/counters.ts";
import type { Log } from "./platform/log.ts";
import type { Outbound } from "./platform/net/outbound.ts";
import { createClockCheck } from "./platform/postgres/clock-check.ts";
import type { Notifications } from "./platform/postgres/notifications.ts";
import { createFixtures } from "./sources/fixtures/index.ts";
import { createSources } from "./sources/registry.ts";
import { createSourceSelection, type SourceSelection } from "./sources/selection.ts";

/** What a test brings along instead of what the configuration names. */
export type Replaced = { sources?: SourceSelection; clock?: Clock };

type PartsDeps = {
  config: Config;
  installation: Installation;
  notifications: Notifications;
  outbound: Outbound;
  log: Log;
  replaced: Replaced;
};

/** The parts that answering and working share, whatever the role of the process. */
export function createParts({ config, installation, notifications, outbound, log, replaced }: PartsDeps) {
  const { db } = installation;
  const { clock = systemClock } = replaced;
  const counters = createCounters();
  const { dataFolder, sourceSettings } = config;
  const sourceDeps = { db, outbound, clock, log, counter: counters.counter, dataFolder };
  const liveSources = () => createSources(sourceDeps, sourceSettings);
  return {
    ...installation,
    clock,
    notifications,
    outbound,
    counters,
    log,
    billing: createBilling({ db, clock, defaultAllowance: config.defaultAllowance }),
    businesses: createBusinesses({ db }),
    clockCheck: createClockCheck({ db, clock }),
    enrichment: createEnrichment({ outbound, clock }),
    fixtures: createFixtures(),
    signals: createSignals({ db, log }),
    sources: replaced.sources ?? createSourceSelection({ choice: config.source, sources: liveSources(), clock }),
    webhooks: createWebhooks({ clock }),
  };
}

export type Parts = ReturnType<typeof createParts>;
