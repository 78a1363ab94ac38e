// Places with all that a search can go by, and what people ask of them.
import type { AreaRecord, PlaceRecord, RecordItem } from "../../server/src/places/record.ts";
import { readOpeningHours } from "../../server/src/places/opening-hours.ts";
import { shapeOf } from "../../server/src/geography/shape.ts";
import { termOf } from "../places/questions.ts";
import { type Layout, makePlaces, makeTowns, makeWords, pick, randomFrom, type Town } from "../places/synthetic.ts";

/** What one question says, as the body of a request. */
export type Question = { q: string; ll?: string };
export type QuestionClass = { name: string; ask: readonly ((place: PlaceRecord, random: () => number) => Question)[] };

/** Of the dense layout. */
const placesPerCity = 300_000;
const streetsPerTown = 60;
const landmarks = ["Tower", "Square", "Gate"] as const;
const weeks = ["Mo-Fr 08:00-18:00", "Mo-Sa 09:00-20:00", "Mo-Su 11:00-23:00", "Tu-Su 17:00-02:00", "24/7"];
const hours = weeks.map((week) => readOpeningHours(week));
const streetNames = makeWords(5_000, randomFrom(31)).map((word) => `${capital(word)} Street`);

/** Towns with boundaries and landmarks, and their places with streets, hours and attributes. */
export function makeWorld(layout: Layout, count: number) {
  const towns = makeTowns(layout, randomFrom(1), Math.ceil(count / placesPerCity));
  const streetsOf = new Map(towns.map(({ name }, at) => [name, at * streetsPerTown]));

  function* places(max = count): Iterable<PlaceRecord> {
    let number = 0;
    for (const place of makePlaces(Math.min(max, count), towns, randomFrom(2))) {
      const street = (streetsOf.get(place.address.city ?? "") ?? 0) + (number % streetsPerTown);
      yield described(place, number, streetNames[street % streetNames.length] ?? "");
      number += 1;
    }
  }

  async function* items(): AsyncIterable<RecordItem> {
    for (const [at, town] of towns.entries()) {
      yield { area: boundary(town, at) };
      for (const number of landmarks.keys()) yield { area: landmarkOf(town, at * landmarks.length + number, number) };
    }
    for (const place of places()) yield { place };
  }

  return { items, places };
}

/** The classes of the goals. A question is made of a place that answers it. */
export const questionClasses: readonly QuestionClass[] = [
  {
    name: "kind in town, name, name in town, near a point",
    ask: [
      (place) => ({ q: `${kindOf(place)} in ${place.address.city}` }),
      ({ name }) => ({ q: name }),
      ({ name, address }) => ({ q: `${name} ${address.city}` }),
      (place, random) => ({ q: kindOf(place), ll: near(place, random) }),
    ],
  },
  {
    name: "phone, street and number, site",
    ask: [
      ({ details }) => ({ q: details.phones?.[0] ?? "" }),
      ({ address }) => ({ q: `${address.street}, ${address.city}` }),
      ({ details }) => ({ q: new URL(details.website ?? "").hostname }),
    ],
  },
  {
    name: "kind on a street, kind and postcode, near a landmark",
    ask: [
      (place) => ({ q: `${kindOf(place)} ${place.address.street?.replace(/ \d+$/, "")} ${place.address.city}` }),
      (place) => ({ q: `${kindOf(place)} ${place.address.postalCode}` }),
      (place, random) => ({
        q: `${kindOf(place)} near ${landmarkIn(place.address.city ?? "", pick(landmarks, random))}`,
      }),
    ],
  },
  {
    name: "attribute, hours, two common words anywhere",
    ask: [
      ({ address }) => ({ q: `restaurant with outdoor seating in ${address.city}` }),
      (place) => ({ q: `${kindOf(place)} open on sunday in ${place.address.city}` }),
      ({ name }) => ({ q: name.split(" ").toReversed().slice(0, 2).join(" ") }),
    ],
  },
];

/** Questions of a class, in turns of its kinds. */
export function makeQuestions(
  { ask }: QuestionClass,
  count: number,
  sample: readonly PlaceRecord[],
  random: () => number,
): Question[] {
  const contactable = sample.filter(({ details }) => details.phones && details.website);
  return Array.from({ length: count }, (_, at) => {
    const question = ask[at % ask.length] ?? pick(ask, random);
    return question(pick(contactable, random), random);
  });
}

function described(place: PlaceRecord, number: number, street: string): PlaceRecord {
  const openingHours = hours[(number >> 1) % hours.length] ?? null;
  return {
    ...place,
    address: { ...place.address, street: `${street} ${1 + (number % 97)}` },
    details: {
      ...place.details,
      ...(number % 2 === 0 ? { openingHours } : {}),
      ...(number % 5 === 0 ? { features: { outdoor_seating: "yes" } } : {}),
    },
  };
}

function boundary({ name, latitude, longitude, radiusDegrees }: Town, at: number): AreaRecord {
  const [high, wide] = [radiusDegrees, radiusDegrees / Math.cos((latitude * Math.PI) / 180)];
  const corners = [
    [latitude - high, longitude - wide],
    [latitude - high, longitude + wide],
    [latitude + high, longitude + wide],
    [latitude + high, longitude - wide],
    [latitude - high, longitude - wide],
  ] as const;
  return {
    sourceId: `osm:r${at + 1}`,
    name,
    namesByLanguage: {},
    kind: "town",
    latitude,
    longitude,
    box: [latitude - high, longitude - wide, latitude + high, longitude + wide],
    population: 10_000,
    countryCode: "DE",
    level: 8,
    shape: shapeOf([corners], 100),
  };
}

function landmarkOf({ name, latitude, longitude }: Town, id: number, number: number): AreaRecord {
  return {
    sourceId: `osm:w${id + 1}`,
    name: landmarkIn(name, landmarks[number] ?? ""),
    namesByLanguage: {},
    kind: "landmark",
    latitude: latitude + (number - 1) / 500,
    longitude,
    box: null,
    population: null,
    countryCode: "DE",
  };
}

/** The name of the town backwards: no other town has it. */
function landmarkIn(town: string, kind: string): string {
  return `${capital(Array.from(town.toLowerCase()).toReversed().join(""))} ${kind}`;
}

function kindOf({ categories }: PlaceRecord): string {
  return termOf(categories[0] ?? "");
}

function near({ latitude, longitude }: PlaceRecord, random: () => number): string {
  const nearby = (degrees: number) => (degrees + (random() - 0.5) * 0.02).toFixed(5);
  return `@${nearby(latitude)},${nearby(longitude)},13z`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
