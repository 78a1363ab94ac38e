import type { Day, Invented } from "./record.ts";

export const townCenter = { latitude: 47.141, longitude: 9.521 };

const usual: Day["slots"] = [[[8], [18, 30]]];

/** Hours of every kind that the protocol has, in turn. */
const weeks: readonly (readonly Day[])[] = [
  week(() => usual),
  // A split shift, a day from noon to midnight, a closed day.
  week((isoDay) =>
    isoDay === 7
      ? []
      : isoDay === 6
        ? [[[12], []]]
        : [
            [[9], [12, 30]],
            [[14], [19]],
          ],
  ),
  // From midnight on; round the clock; past midnight.
  week((isoDay) => (isoDay === 1 ? [[[], [23]]] : isoDay === 2 ? [[[], []]] : [[[18], [2]]])),
];

function week(slotsOf: (isoDay: number) => Day["slots"]): Day[] {
  return [6, 7, 1, 2, 3, 4, 5].map((isoDay) => ({ isoDay, label: "as told", slots: slotsOf(isoDay) }));
}

/** The same business whenever it is asked for. */
export function cafe(number: number): Invented {
  return {
    number,
    name: `Replay Café ${number}`,
    latitude: townCenter.latitude + number / 10_000,
    longitude: townCenter.longitude,
    category: "Coffee shop",
    street: `Städtle ${number}`,
    city: "Vaduz",
    postalCode: "9490",
    region: null,
    countryCode: "LI",
    country: "Liechtenstein",
    phone: number % 4 === 3 ? null : `+423 232 ${String(1000 + number)}`,
    website: number % 3 === 0 ? null : `https://cafe-${number}.example/`,
    rating: 3 + (number % 20) / 10,
    reviewCount: 10 + number,
    hours: weeks[number % weeks.length] ?? null,
    isClaimed: number % 5 !== 0,
    remark: number % 6 === 0 ? "Dogs allowed" : null,
    description: null,
    hotelClass: null,
    price: number % 2 === 0 ? "$$" : null,
    reviewsCount: number % 3 === 1 ? 12 : 3,
    photosCount: number % 3 === 1 ? 25 : 2,
  };
}

const cafes = Array.from({ length: 45 }, (_, number) => cafe(number + 1));

/** What no café shows: an address with a state, stars, a description, a business that is gone. */
export const hotel: Invented = {
  ...cafe(200),
  name: "Replay Hotel Springfield",
  category: "Hotel",
  latitude: 39.7817,
  longitude: -89.6501,
  street: "1 Main St",
  city: "Springfield",
  postalCode: "62701",
  region: "Illinois",
  countryCode: "US",
  country: "United States",
  phone: "+1 217-555-0100",
  website: null,
  hotelClass: 4,
  description: "A hotel that exists in tests only.",
};

export const closedBar: Invented = { ...cafe(201), name: "Replay Bar", category: "Bar", remark: "CLOSED_PERMANENTLY" };

/** What a query finds. */
export function findPlaces(q: string): readonly Invented[] {
  if (/hotel/i.test(q)) return [hotel];
  if (/\bbar\b/i.test(q)) return [closedBar];
  const [, one] = /replay café (\d+)/i.exec(q) ?? [];
  if (one !== undefined) return cafes.filter(({ number }) => number === Number(one));
  return /caf[eé]|coffee/i.test(q) ? cafes : [];
}

export function findByNumber(number: number): Invented | undefined {
  return [...cafes, hotel, closedBar].find((place) => place.number === number);
}
