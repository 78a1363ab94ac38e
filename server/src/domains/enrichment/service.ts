import type { Clock } from "../../platform/clock.ts";
import type { Outbound } from "../../platform/net/outbound.ts";
import { chooseContactPages, withoutFragment } from "./contact-pages.ts";
import { isOwnEmail } from "./emails.ts";
import { type Contact, contactsMax, type EnrichmentResult } from "./enrichment.ts";
import { type Page, readPage } from "./page.ts";
import { isSameSite, PageUnread, siteOf, startVisit, type VisitLimits } from "./visit.ts";

type EnrichmentDeps = {
  outbound: Outbound;
  clock: Clock;
  /** Sent with every request; what stands before the slash is the name that robots.txt may address. */
  userAgent?: string;
  limits?: VisitLimits;
};

const defaultUserAgent = "Waypost/0.1 (contact details of businesses; honors robots.txt)";
const defaultLimits: VisitLimits = { pageMs: 5000, totalMs: 15_000 };

/** Looks up a business's e-mail addresses and social profiles on its own website. */
export function createEnrichment({
  outbound,
  clock,
  userAgent = defaultUserAgent,
  limits = defaultLimits,
}: EnrichmentDeps) {
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
      const state = await collect(home, contacts, signal);
      signal.throwIfAborted();
      return conclude(state, contacts);
    } catch (error) {
      signal.throwIfAborted();
      return conclude(error instanceof PageUnread ? error.state : "failed", contacts);
    }
  }

  async function collect(home: URL, contacts: Map<string, Contact>, signal: AbortSignal) {
    const visit = startVisit(outbound, home, { userAgent, limits, signal });
    const first = await visit.read(home.href);
    const homePage = readPage(first.html, first.url);
    note(contacts, homePage, first.url, home);

    let state: "done" | "timed_out" = "done";
    const visited = new Set([withoutFragment(home.href), withoutFragment(first.url)]);
    const links = homePage.links.filter(({ url }) => isSameSite(new URL(url), home));
    for (const url of chooseContactPages(links, visited)) {
      try {
        const { html, url: readUrl } = await visit.read(url);
        note(contacts, readPage(html, readUrl), readUrl, home);
      } catch (error) {
        if (!(error instanceof PageUnread)) throw error;
        // A missing or forbidden page takes nothing from the others; one that hangs may have.
        if (error.state === "timed_out") state = "timed_out";
      }
    }
    return state;
  }

  function note(contacts: Map<string, Contact>, page: Page, sourceUrl: string, home: URL): void {
    const seen = { sourceUrl, seenAt: clock.now().toISOString() };
    const emails = page.emails.filter((email) => isOwnEmail(email, siteOf(home)));
    const found: Contact[] = [
      ...emails.map((value) => ({ type: "email" as const, value, ...seen })),
      ...page.socialProfiles.map((value) => ({ type: "social" as const, value, ...seen })),
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
