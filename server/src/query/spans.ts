import type { LinkRole } from "../languages/index.ts";
import type { KeyType } from "../place-index/schema.ts";
import type { Spot } from "../place-index/port.ts";
import type { Box, Point } from "../geography/points.ts";
import type { OpenAt } from "./words/times.ts";

/** A where that has a name: of the catalog, or of the world's list of towns, which has no ids. */
export type Area = {
  id: string | null;
  name: string;
  kind: string;
  country: string | null;
  center: Point;
  box: Box | null;
  population: number | null;
  level: number | null;
  /** Whether the index knows of each place whether it lies there. */
  isOutlined: boolean;
  /** How many places of the catalog lie there; for a town of the world one where there are any. */
  places: number;
  /** Whether a point lies in it, for a state whose towns alone tell. */
  contains: ((point: Point) => boolean) | null;
};

/** What some tokens side by side may mean. */
export type Meaning =
  /** Of several languages, those in which the words mean just these kinds. Loose ones are merely searched by the words. */
  | { type: "kind"; kinds: readonly string[]; languages: readonly string[]; isLoose: boolean }
  | { type: "attribute"; id: string }
  | { type: "open"; at: OpenAt }
  /** How many of the same name are likelier, and whether it is only a code, which means it behind a town's name alone. */
  | { type: "area"; area: Area; rank: number; isCode: boolean }
  | { type: "landmark"; areas: readonly Area[] }
  | { type: "brand"; text: string; places: number }
  | { type: "street"; text: string; places: number }
  | { type: "postcode"; text: string; countries: readonly string[] }
  | { type: "house"; text: string }
  /** All of a name. */
  | { type: "name"; words: readonly string[]; places: number; at: readonly Spot[] }
  | { type: "contact"; key: Extract<KeyType, "phone" | "site">; text: string; places: number }
  | { type: "point"; center: Point }
  /** A plus code without its first digits, which the town beside it tells. */
  | { type: "shortCode"; text: string }
  | { type: "distance"; meters: number }
  /** Which side of it belongs to it, as far as its languages tell. */
  | { type: "link"; role: LinkRole; languages: readonly string[]; sides: readonly ("before" | "behind")[] }
  | { type: "here" | "filler" | "article" | "town" | "or" }
  | { type: "word"; words: readonly string[]; places: number };

/** A meaning of the tokens from one to before another, and what it costs to read them so. */
export type Span = { from: number; to: number; cost: number; why: string } & Meaning;

/** What stands where something is near, or in. */
export type Target =
  | { is: "point"; center: Point }
  | { is: "kind"; kinds: readonly string[]; words: readonly string[] }
  /** With an article it is one of its kind, and no name. */
  | { is: "name"; words: readonly string[]; isThing: boolean };

export type NamedWhere =
  | { in: Area }
  | { near: Target }
  | { within: number; of: Target }
  /** Nobody knows where that is. */
  | { unknown: readonly string[] }
  | { on: string; house: string | null }
  | { at: string; countries: readonly string[] };

export type Where = NamedWhere | "here";

/** What something is to be near of. */
export function targetOf(where: NamedWhere): Target | undefined {
  if ("near" in where) return where.near;
  return "within" in where ? where.of : undefined;
}

export function isNamedWhere(where: Where): where is NamedWhere {
  return where !== "here";
}

export type Want = {
  /** A place is of one of each. */
  kinds: readonly (readonly string[])[];
  isLoose: boolean;
  words: readonly string[];
  brand: string | null;
  contact: { key: "phone" | "site"; text: string } | null;
};

/** One way to understand a question. All of `where` must hold. */
export type Interpretation = {
  want: Want;
  where: readonly Where[];
  attributes: readonly string[];
  /** When it is to be open, besides now. */
  open: OpenAt | null;
  cost: number;
  spans: readonly Span[];
};
