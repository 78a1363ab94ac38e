import { getDomain } from "tldts";

/** The longest URL that is visited or followed. */
export const urlCharactersMax = 2048;

/** Whether a URL belongs to the website: the same registrable domain, or the same host where there is none. */
export function isSameSite(url: URL, website: URL): boolean {
  return /^https?:$/.test(url.protocol) && siteOf(url) === siteOf(website);
}

/** A registrable domain: under github.io each name is one of its own. */
export function siteOf(url: URL): string {
  return getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.hostname;
}
