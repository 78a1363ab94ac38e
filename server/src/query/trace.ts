import { labelOf } from "../languages/index.ts";
import type { Hit } from "../place-index/port.ts";
import type { Answer } from "./answer.ts";
import type { Reading } from "./read.ts";
import { type Interpretation, isNamedWhere, type NamedWhere, type Span, type Target } from "./spans.ts";
import type { OpenAt } from "./words/times.ts";

/** How a question was read and what was searched for it. */
export type Trace = { reading: Reading; answered: Answer };

/** The reading that found the page, else the likeliest. */
export function readingOf({ reading, answered }: Trace): Interpretation | undefined {
  const found = answered.probes.find((probe) => probe.leniency !== "where" && probe.found > 0);
  return reading.interpretations[found?.of ?? 0];
}

/** One line: what was looked for, and where; at the end what nobody knows. */
export function sentenceOf(trace: Trace): string {
  const read = readingOf(trace);
  if (!read) return "nothing that can be looked for";
  const named = read.where.filter(isNamedWhere);
  const unknown = named.flatMap((where) => ("unknown" in where ? where.unknown : []));
  const misunderstood = [...unknown, ...read.spans.filter(isUnknownWord).flatMap(({ words }) => words)];
  const wheres = named.flatMap(whereText);
  const here = read.where.includes("here") || (wheres.length === 0 && trace.reading.view.circle) ? ["around here"] : [];
  const what = wantText(read);
  const parts = [what, ...wheres, ...here].filter((part) => part !== "").join(" ");
  const rest = [...new Set(misunderstood)].map((word) => JSON.stringify(word)).join(", ");
  return rest === "" ? parts : `${parts}; not understood: ${rest}`;
}

function isUnknownWord(span: Span): span is Span & { type: "word" } {
  return span.type === "word" && span.places === 0;
}

function wantText({ want, attributes, open }: Interpretation): string {
  const { kinds, words, brand, contact } = want;
  const kind = kinds.map((either) => either.map((id) => labelOf(id, "en")).join(" or ")).join(" that is also ");
  const called = words.length > 0 ? `called ${JSON.stringify(words.join(" "))}` : "";
  const having = attributes.length > 0 ? `first what has ${attributes.map((id) => id.slice(1)).join(", ")}` : "";
  const branded = brand === null ? "" : `of ${JSON.stringify(brand)}`;
  const keyed = contact ? `with ${contact.key} ${contact.text}` : "";
  const opened = open ? `first what is open ${openText(open)}` : "";
  const parts = [kind, called, branded, keyed, having, opened].filter((part) => part !== "");
  return parts.length === 0 ? "everything" : parts.join(" ");
}

function openText({ days, hours }: OpenAt): string {
  const onDays = [...new Set(days)].map((day) => dayNames[day]);
  return [...onDays, ...hours.slice(0, 1).map((hour) => `at ${hour}:00`)].join(" ");
}

const dayNames = ["on Monday", "on Tuesday", "on Wednesday", "on Thursday", "on Friday", "on Saturday", "on Sunday"];

function whereText(where: NamedWhere): string[] {
  if ("in" in where) {
    const { name, kind, country, places } = where.in;
    const rest = [kind, country ?? ""].filter((part) => part !== "").join(", ");
    return [`in ${name} (${rest}${places === 0 ? "; the catalog has no places there" : ""})`];
  }
  if ("near" in where) return [`near ${targetText(where.near)}`];
  if ("within" in where) return [`within ${where.within} m of ${targetText(where.of)}`];
  if ("on" in where) return [`on ${where.on}${where.house === null ? "" : ` ${where.house}`}`];
  return "at" in where ? [`with the postcode ${where.at}`] : [];
}

function targetText(target: Target): string {
  if (target.is === "point") return `${target.center.latitude}, ${target.center.longitude}`;
  const kinds = target.is === "kind" ? target.kinds.map((id) => labelOf(id, "en")).join(" or ") : "";
  return [kinds, ...target.words].filter((part) => part !== "").join(" ");
}

/** What a span means, in a few words. */
export function spanText(span: Span): string {
  if (span.type === "kind") return `kind ${span.kinds.join(" ")}`;
  if (span.type === "area")
    return `area ${span.area.name} (${span.area.kind}, ${span.area.country ?? "?"}, ${span.area.places} places)`;
  if (span.type === "landmark") return `landmark ${span.areas[0]?.name ?? ""}`;
  if (span.type === "attribute") return `attribute ${span.id}`;
  if (span.type === "open") return `open ${openText(span.at)}`;
  if (span.type === "link") return `link ${span.role}`;
  if (span.type === "name" || span.type === "word")
    return `${span.type} ${span.words.join(" ")} (${span.places} places)`;
  return "text" in span ? `${span.type} ${span.text}` : span.type;
}

/** Where a hit stands in the page, and by what score. */
export type Ranked = { name: string; score: number };

export function rankedOf(hits: readonly Hit[], nameOf: (place: number) => string): Ranked[] {
  return hits.map(({ place, score }) => ({ name: nameOf(place), score: Math.round(score * 10) / 10 }));
}
