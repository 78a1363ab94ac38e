import type { Clock } from "../../platform/clock.ts";
import { createSlots } from "../../platform/net/slots.ts";
import type { Outbound } from "../../platform/net/outbound.ts";
import { withoutFragment } from "./contact-pages.ts";
import { type Contact, contactsMax, type EnrichmentResult } from "./enrichment.ts";
import type { PageReader } from "./page-reader.ts";
import { PageUnread } from "./page-unread.ts";
import type { SitePage } from "./site-page.ts";
import { startVisit, type VisitLimits } from "./visit.ts";

type EnrichmentDeps = {
  outbound: Outbound;
  reader: PageReader;
  clock: Clock;
  /** Sent with every request; what stands before the slash is the name that robots.txt may address. */
  userAgent?: string;
  limits?: VisitLimits;
  /** How many websites are visited at once; others wait for their turn. */
  visitsMax?: number;
};

/** Beside the home page. */
const pagesMax = 4;
const visitsWaitingMax = 2000;
const tooLate = () => new PageUnread("timed_out");
const defaultUserAgent = "Waypost/0.1 (contact details of businesses; honors robots.txt)";
const defaultLimits: VisitLimits = { pageMs: 5000, totalMs: 15_000, parseMs: 2000 };

/** Looks up a business's e-mail addresses and social profiles on its own website. */
export function createEnrichment({
  outbound,
  reader,
  clock,
  userAgent = defaultUserAgent,
  limits = defaultLimits,
  visitsMax = 50,
}: EnrichmentDeps) {
  const visits = createSlots({ slotsMax: visitsMax, waitingMax: visitsWaitingMax });

  /**
   * Reads the home page and up to four pages that look like contact, imprint or about. Throws only
   * when the signal says so: what goes wrong on a stranger's website is a state, not an error.
   */
  async function enrich(website: string, signal: AbortSignal): Promise<EnrichmentResult> {
    signal.throwIfAborted();
    const home = URL.parse(website.trim());
    const contacts = new Map<string, Contact>();
    if (!home || !/^https?:$/.test(home.protocol)) return conclude("no_website", contacts);

    try {
      const state = await visits.run(signal, tooLate, () => collect(home, contacts, signal));
      signal.throwIfAborted();
      return conclude(state, contacts);
    } catch (error) {
      signal.throwIfAborted();
      return conclude(error instanceof PageUnread ? error.state : "failed", contacts);
    }
  }

  async function collect(home: URL, contacts: Map<string, Contact>, signal: AbortSignal) {
    const visit = startVisit(home, { outbound, reader, userAgent, limits, signal });
    const first = await visit.read(home.href, [withoutFragment(home.href)]);
    note(contacts, first);

    let state: "done" | "timed_out" = "done";
    const waiting = [...first.frames, ...first.contactPages];
    const seen = new Set([withoutFragment(home.href), ...waiting]);
    for (let reads = 0; reads < pagesMax; reads += 1) {
      const url = waiting.shift();
      if (url === undefined) break;
      try {
        const page = await visit.read(url, [...seen]);
        note(contacts, page);
        if (!first.frames.includes(url)) continue;
        for (const found of page.contactPages) seen.add(found);
        waiting.push(...page.contactPages);
      } catch (error) {
        if (!(error instanceof PageUnread)) throw error;
        // A missing or forbidden page takes nothing from the others; one that hangs may have.
        if (error.state === "timed_out") state = "timed_out";
      }
    }
    return state;
  }

  function note(contacts: Map<string, Contact>, { emails, socialProfiles, url }: SitePage & { url: string }): void {
    const seen = { sourceUrl: url, seenAt: clock.now().toISOString() };
    const found: Contact[] = [
      ...emails.map((value) => ({ type: "email" as const, value, ...seen })),
      ...socialProfiles.map((value) => ({ type: "social" as const, value, ...seen })),
    ];
    for (const contact of found) {
      const key = contact.value.toLowerCase();
      if (!contacts.has(key)) contacts.set(key, contact);
    }
  }

  function conclude(state: EnrichmentResult["state"], found: ReadonlyMap<string, Contact>): EnrichmentResult {
    const ofType = (type: Contact["type"]) =>
      [...found.values()].filter((contact) => contact.type === type).slice(0, contactsMax);
    return { state, contacts: [...ofType("email"), ...ofType("social")], checkedAt: clock.now().toISOString() };
  }

  return { enrich };
}
