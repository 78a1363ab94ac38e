import { chooseContactPages } from "./contact-pages.ts";
import { isOwnEmail } from "./emails.ts";
import { contactsMax } from "./enrichment.ts";
import { readPage } from "./page.ts";
import { isSameSite, siteOf } from "./site.ts";
import { decodeText } from "./text-decoding.ts";

export type PageTask = {
  body: Uint8Array;
  contentType: string;
  url: string;
  /** The website that the page belongs to. */
  home: string;
  /** Pages that need no second visit. */
  visited: readonly string[];
};

/** What a page of a business's own website gives: its contacts, and where more may be found, best first. */
export type SitePage = {
  emails: string[];
  socialProfiles: string[];
  contactPages: string[];
  /** The pages of a frameset, which has its contents and its links in them. */
  frames: string[];
};

const framesMax = 3;

export function readSitePage({ body, contentType, url, home, visited }: PageTask): SitePage {
  const website = new URL(home);
  const page = readPage(decodeText(Buffer.from(body), contentType), url);
  const ownLinks = page.links.filter((link) => isSameSite(new URL(link.url), website));
  return {
    emails: page.emails.filter((email) => isOwnEmail(email, siteOf(website))).slice(0, contactsMax),
    socialProfiles: page.socialProfiles.slice(0, contactsMax),
    frames: page.frames.filter((frame) => isSameSite(new URL(frame), website)).slice(0, framesMax),
    contactPages: chooseContactPages(ownLinks, new Set(visited)),
  };
}
