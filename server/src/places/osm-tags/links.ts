import { readWebsite } from "../contacts.ts";
import type { Tags } from "./element.ts";

/** The encyclopedia's page on the place, else the entry in its database. What it says of a brand is not of the place. */
export function knowledgeUrl(tags: Tags): string | null {
  const page = tags["wikipedia"] ?? "";
  if (/^https?:\/\/[a-z.-]{2,20}\.wikipedia\.org\/wiki\/./i.test(page)) return readWebsite(page);
  const [, language, title] = /^([a-z-]{2,12}):(?!\/\/)(.+)$/.exec(page) ?? [];
  if (language && title) return readWebsite(`https://${language}.wikipedia.org/wiki/${pathOf(title)}`);
  const entry = tags["wikidata"] ?? "";
  return /^Q\d+$/.test(entry) ? `https://www.wikidata.org/wiki/${entry}` : null;
}

/** A picture of the place, when its address is one of a picture. */
export function imageUrl(tags: Tags): string | null {
  const image = tags["image"];
  if (image && /^https?:/i.test(image)) return readWebsite(image);
  const [, file] = /^File:(.+)$/.exec(tags["wikimedia_commons"] ?? "") ?? [];
  return file === undefined ? null : readWebsite(`https://commons.wikimedia.org/wiki/Special:FilePath/${pathOf(file)}`);
}

function pathOf(title: string): string {
  return encodeURIComponent(title.replaceAll(" ", "_"));
}
