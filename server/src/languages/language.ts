import type { Attribute } from "../kinds/index.ts";

export type Words = readonly string[];
type WordsBy<Key extends string> = Readonly<Partial<Record<Key, Words>>>;

/** How a word ties what is wanted to where: `in` Vaduz, `near` the station, `on` the square, `close` to it, or a part of such a phrase. */
export const linkRoles = ["in", "near", "on", "close", "of"] as const;
export type LinkRole = (typeof linkRoles)[number];

/** What a column of a table may say of a place. */
export const tableFields = [
  "id",
  "name",
  "latitude",
  "longitude",
  "point",
  "category",
  "street",
  "houseNumber",
  "city",
  "region",
  "postalCode",
  "country",
  "phone",
  "website",
  "email",
  "openingHours",
  "description",
  "businessStatus",
  "permanentlyClosed",
  "brand",
  "rating",
  "reviewCount",
  "priceRange",
  "image",
  "addressParts",
] as const;
export type TableField = (typeof tableFields)[number];

/** Features of a place are shown in groups: for whom, how one is served, what there is. */
export const featureGroups = ["access", "service", "comfort"] as const;
export type FeatureGroup = (typeof featureGroups)[number];

/** How regular plurals are made. */
export type Plurals = {
  /** The first noun of a term carries the number: "salons de coiffure". It ends at one of these words. */
  nounFirst?: Words;
  /** An ending as a regular expression, and what stands in its place; the first that fits counts. */
  rules: readonly Words[];
};

/** Other ways to say a term. */
export type Variants = {
  /** Two nouns are written as one word, or could be. */
  compounds?: boolean;
  /** Ends of compounds that mean the same. */
  endings?: Words;
  /** First words that mean the same. */
  beginnings?: Words;
  spellings?: Readonly<Record<string, string>>;
  /** Last words that mean a shop, behind what it sells, one or many. */
  shops?: Words;
  /** An article that grows together with the word behind it. */
  article?: string;
};

/** How people write the language in Latin letters. */
export type Latin = {
  /** Letters that they write otherwise than passports do. */
  letters?: Readonly<Record<string, string>>;
  /** The language is written in both. */
  isUsual?: boolean;
};

/** How a name is inflected where something is in it, or of it: each affix with what it stands for. */
export type Inflections = {
  /** A language that inflects names as this one does. */
  like?: string;
  endings?: Readonly<Record<string, Words>>;
  beginnings?: Readonly<Record<string, Words>>;
};

export const timesOfWeek = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
  "weekend",
  "early",
  "morning",
  "noon",
  "afternoon",
  "evening",
  "late",
] as const;
export type TimeOfWeek = (typeof timesOfWeek)[number];

/**
 * Words of names. `idle` ones do not say which business it is: articles, legal forms, titles. `part` ones name a
 * department of it: a clinic's cardiology, a dealer's service.
 */
export const nameRoles = ["idle", "part"] as const;
export type NameRole = (typeof nameRoles)[number];

/** What one file says of its language. Every section may be missing. */
export type Language = {
  /** Words and rules of this language are its own as well. */
  extends?: string;
  /** Further tags that it serves. */
  serves?: Words;
  /** Languages with a rank are understood whatever the language of a question, the lowest first. */
  rank?: number;
  /** Its words stand side by side without blanks. */
  blanks?: boolean;
  /** Words that mean one or more kinds, the likeliest kind first. */
  kinds?: Readonly<Record<string, Words>>;
  attributes?: WordsBy<Attribute>;
  /** One to five, before stars. */
  numbers?: Words;
  /** Days besides the names that CLDR knows, and times of day. */
  times?: WordsBy<TimeOfWeek>;
  /** Behind an hour: "o'clock"; in the first half of the day, or the second. */
  clock?: WordsBy<"hour" | "am" | "pm">;
  /** Numbers of streets and schools as words, by the number: "fifth", "5th". */
  ordinals?: Readonly<Record<string, Words>>;
  /** What a word of a business's name does there. */
  names?: WordsBy<NameRole>;
  links?: WordsBy<LinkRole>;
  /** Links stand behind what they belong to. */
  postpositions?: boolean;
  /** Words of streets in their shortest form, and how else they are written; behind a hyphen they end other words. */
  streets?: Readonly<Record<string, Words>>;
  /** Around whoever asks. */
  here?: Words;
  /** Whose town or street it is: "my". */
  mine?: Words;
  /** Words around a distance: "within". */
  radius?: Words;
  /** Words beside a kind that say nothing about it, and that no business is called. */
  fillers?: Words;
  articles?: Words;
  /** Words around the name of a town that say that it is one, or mean its middle. */
  towns?: Words;
  /** What countries are called besides the names that CLDR knows. */
  countries?: Readonly<Record<string, Words>>;
  /** What groups of features are called. */
  groups?: Readonly<Partial<Record<FeatureGroup, string>>>;
  headings?: WordsBy<TableField>;
  closed?: WordsBy<"permanently" | "temporarily">;
  inflections?: Inflections;
  plurals?: Plurals;
  variants?: Variants;
  latin?: Latin;
};
