import { Parser } from "htmlparser2";
import type { Link } from "./contact-pages.ts";
import { emailInCloudflareCode, emailsIn, emailsInMailto, emailsInScript } from "./emails.ts";
import { contactsInJsonLd } from "./json-ld.ts";
import { urlCharactersMax } from "./site.ts";
import { socialProfile } from "./social-profiles.ts";

/** What a page says that may matter, each once, in the order of the page. */
export type Page = {
  emails: string[];
  socialProfiles: string[];
  links: Link[];
  /** The pages that a frameset is made of. */
  frames: string[];
};

const linksMax = 5000;
const linkTextCharactersMax = 200;
/** As deep as browsers go. */
const depthMax = 512;
/** Thrown by a handler of the parser to end the reading. */
const tooDeep = new Error("the page is nested too deep");

/** Reads a page of HTML, however broken, in one pass. */
export function readPage(html: string, pageUrl: string): Page {
  const emails = new Set<string>();
  const socialProfiles = new Set<string>();
  const links: Link[] = [];
  const frames = new Set<string>();
  const text: string[] = [];
  let base = pageUrl;
  let linksSeen = 0;
  let depth = 0;
  /** The depth of the element that nobody sees and that we are in. */
  let hiddenAt: number | undefined;
  /** The depth of the element that is written backwards and that we are in. */
  let backwardsAt: number | undefined;
  const backwards: string[] = [];
  let jsonLd: string[] | undefined;
  let script: string[] | undefined;
  let link: Link | undefined;

  function follow(href: string): void {
    linksSeen += 1;
    if (href === "" || href.length > urlCharactersMax || linksSeen > linksMax) return;
    for (const email of emailsOfLink(href)) emails.add(email);
    const url = URL.parse(href.trim(), base);
    if (!url || url.href.length > urlCharactersMax || !/^https?:$/.test(url.protocol)) return;
    const profile = socialProfile(url.href);
    if (profile !== undefined) socialProfiles.add(profile);
    else links.push((link = { url: url.href, text: "" }));
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1;
      if (depth > depthMax) throw tooDeep;
      const { href = "", type = "", style = "", src = "", "data-cfemail": code } = attributes;
      if (code !== undefined) for (const email of emailInCloudflareCode(code)) emails.add(email);
      if (name === "a" || name === "area") follow(href);
      if (name === "base" && href !== "") base = baseOf(href, pageUrl) ?? base;
      if (name === "frame") frames.add(URL.parse(src, base)?.href ?? "");
      if (name === "script" && type.toLowerCase().includes("ld+json")) jsonLd = [];
      else if (name === "script") script = [];
      if (/bidi-override/i.test(style)) backwardsAt ??= depth;
      if (unreadElements.has(name) || "hidden" in attributes || /display\s{0,3}:\s{0,3}none/i.test(style))
        hiddenAt ??= depth;
      if (!inlineElements.has(name)) text.push("\n");
    },
    ontext(data) {
      jsonLd?.push(data);
      script?.push(data);
      if (hiddenAt !== undefined) return;
      (backwardsAt === undefined ? text : backwards).push(data);
      if (link && link.text.length < linkTextCharactersMax) link.text += data.slice(0, linkTextCharactersMax);
    },
    onclosetag(name) {
      if (hiddenAt === depth) hiddenAt = undefined;
      if (backwardsAt === depth) {
        text.push(backwards.splice(0).join("").split("").toReversed().join(""));
        backwardsAt = undefined;
      }
      depth -= 1;
      if (name === "a") link = undefined;
      if (!inlineElements.has(name)) text.push("\n");
      if (name === "script" && script) for (const email of emailsInScript(script.join(""))) emails.add(email);
      script = undefined;
      if (name !== "script" || !jsonLd) return;
      const said = contactsInJsonLd(jsonLd.join(""));
      for (const email of said.emails.flatMap(emailsIn)) emails.add(email);
      for (const profile of said.profiles.map(socialProfile)) if (profile !== undefined) socialProfiles.add(profile);
      jsonLd = undefined;
    },
  });
  // The parser's effort grows with the square of the nesting: a megabyte of open elements would keep it
  // busy for most of a minute. Nobody's page is that deep, so reading stops.
  try {
    parser.end(html);
  } catch (error) {
    if (error !== tooDeep) throw error;
  }
  for (const email of emailsIn(text.join(""))) emails.add(email);
  return {
    emails: [...emails],
    socialProfiles: [...socialProfiles],
    links,
    frames: [...frames].filter((url) => url !== ""),
  };
}

/** A longer base would be parsed again with each link. */
function baseOf(href: string, pageUrl: string): string | undefined {
  const base = href.length > urlCharactersMax ? undefined : URL.parse(href, pageUrl)?.href;
  return base !== undefined && base.length <= urlCharactersMax ? base : undefined;
}

function emailsOfLink(href: string): string[] {
  if (/^\s*mailto:/i.test(href)) return emailsInMailto(href.trim());
  const [, code] = /\/cdn-cgi\/l\/email-protection#([0-9a-f]+)$/i.exec(href.slice(-700)) ?? [];
  return code === undefined ? [] : emailInCloudflareCode(code);
}

const unreadElements = new Set(["script", "style", "template", "textarea", "svg"]);

/** Elements that a word may run through: info<span>@</span>example.com is one word. */
const inlineElements = new Set(
  "abbr b bdi bdo cite code data em font i kbd mark q s samp small span strong sub sup time tt u var wbr".split(" "),
);
