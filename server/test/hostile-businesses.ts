import type { Business } from "../src/domains/businesses/index.ts";
import { newUuid } from "../src/platform/ids.ts";
import type { Place } from "../src/places/place.ts";
import { aPlace } from "./place.ts";

const texts = [
  "Müller & Söhne – Bäckerei",
  "مطعم الشرق",
  "בית קפה",
  "ร้านอาหารไทย",
  "珈琲店 「さくら」",
  "ქართული სამზარეულო",
  "Кофейня «Пушкинъ»",
  "हिन्दी भोजनालय",
  "👩‍👩‍👧‍👦 Café 🇱🇮 ☕️",
  'He said "hi", twice: ""',
  "two\nlines",
  "Windows\r\nline ends",
  "comma, semicolon; tab\tpipe|",
  "'quoted'",
  "=cmd|' /C calc'!A0",
  "+43 1 234 56 78",
  "-1+1",
  "@SUM(A1:A9)",
  "\tstarts with a tab",
  "\rstarts with a return",
  "\nstarts with a line feed",
  "＝1+1",
  "＋81 3 1234 5678",
  "－2",
  "＠SUM(A1:A9)",
  "'=looks neutralized already",
  "''+twice",
  "<b>&amp;</b> ]]> <!-- -->",
  "_x000D_ is no return",
  " leading and trailing ",
  "",
  "0012",
  "true",
  "null",
  "\\N \\. \\n",
  "𝒜 astral 𐍈",
  "e\u0301 combining",
  "\u200f\u202eright to left marks",
];

/** Records that try every way to break a file format, each text in a name, a list and a deeper value. */
export function hostileBusinesses(): Business[] {
  const places = texts.map((text, index) => {
    const parts: Partial<Place> = {
      name: text,
      description: `${text}${text}`,
      categories: [text, "", text],
      phones: [text],
      owner: { id: null, name: text, profileUrl: "https://example.com/?a=1&b=%22" },
      about: [{ category: text, options: { [text]: text, wheelchair: true } }],
      location: index % 3 === 0 ? null : { latitude: -33.856784 + index, longitude: -0.1 * index },
      rating: index % 2 === 0 ? null : 4.25,
      reviewCount: index % 5 === 0 ? Number.MAX_SAFE_INTEGER : null,
      claimed: [true, false, null][index % 3] ?? null,
      contactsCheckedAt: index % 2 === 0 ? null : "2026-11-15T22:13:14.159Z",
      reviews: [
        {
          position: index,
          id: null,
          rating: 0,
          text,
          language: null,
          publishedAt: null,
          publishedText: text,
          reviewer: { displayName: text, profileUrl: null, avatarUrl: null },
          ownerResponse: null,
          sourceUrl: null,
        },
      ],
      openingHours: { weekly: null, raw: text },
    };
    return aPlace(parts);
  });
  return places.map((place, index) => ({
    schemaVersion: "2026-09-22",
    businessId: newUuid(),
    revision: index + 1,
    place,
  }));
}
