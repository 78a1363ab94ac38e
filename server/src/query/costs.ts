import type { NameForm } from "../place-index/port.ts";

/** What it costs to read words in one way; readings that cost no more than `together` above the best are searched with it. */
export const costs = {
  kind: {
    ownLanguage: 0,
    english: 0.1,
    otherLanguage: 0.4,
    loose: 0.5,
    second: 0.6,
    foreignTarget: 0.4,
    misspelled: [0, 0.8, 1.4],
  },
  area: {
    form: { written: 0, plain: 0.1, short: 0.2 } satisfies Record<NameForm, number>,
    inflected: 0.2,
    inOtherLanguage: 0.3,
    /** Another area of the name. */
    namesake: 0.5,
    /** It is in another country than the question. */
    elsewhere: 0.1,
    /** The code of a state, behind the name of a town alone. */
    coded: 0.3,
    /** It lies in the one that is named beside it. */
    nested: -0.6,
    ofWorld: 0.2,
    withoutPlaces: 0.5,
    /** A small town of the world is rarely meant where the catalog has no places. */
    unlikely: 0.9,
    misspelled: 0.9,
    /** In the middle of a question, with no link before it. */
    unlinked: 0.4,
    linked: -0.3,
  },
  street: 0.2,
  postcode: { known: 0, unknown: 1 },
  house: 0,
  houseAlone: 1,
  brand: 0.1,
  landmark: 0.1,
  contact: 0,
  name: 0.2,
  /** A word of a name that is a kind. */
  kindWord: 0.4,
  word: { known: 0.3, further: 0.1, unknown: 1.2 },
  filler: 0.1,
  /** A boundary inside of what is known as one. */
  split: 0.4,
  link: 0.05,
  /** Two words that somebody writes as one. */
  joined: 0.3,
  /** A link that leads nowhere. */
  loose: 0.5,
  attribute: 0.1,
  /** A day or a time of day; behind "open", a link or another time. */
  time: 0.4,
  timeLinked: 0.1,
  /** An hour behind a link, without a word that says that it is one. */
  hourAlone: 0.3,
  here: 0,
  own: 0.5,
} as const;

/** What costs so much more than the best is no reading. */
export const readingsWithin = 2;
export const readingsMax = 12;
/** Readings within so much of the best are searched together. */
export const together = 0.39;
