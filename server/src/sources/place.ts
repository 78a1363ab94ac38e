import { type Static, type TSchema, Type } from "typebox";

/** The largest integer that JSON numbers carry exactly: 2^53 - 1. */
const integerMax = Number.MAX_SAFE_INTEGER;

const Text = (maxLength: number) => Type.String({ maxLength });
const Uri = () => Type.String({ format: "uri", maxLength: 2048 });
const Timestamp = () => Type.String({ format: "date-time" });
const OrNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const Closed = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

const Address = Closed({
  formatted: OrNull(Text(2000)),
  street: OrNull(Text(1000)),
  city: OrNull(Text(512)),
  region: OrNull(Text(512)),
  postalCode: OrNull(Text(64)),
  countryCode: OrNull(Type.String({ minLength: 2, maxLength: 2 })),
  municipality: OrNull(Text(512)),
});

const Location = Closed({
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
});

const Review = Closed({
  position: Type.Integer({ minimum: 0, maximum: integerMax }),
  id: OrNull(Text(512)),
  rating: OrNull(Type.Number({ minimum: 0, maximum: 5 })),
  text: OrNull(Text(20_000)),
  language: OrNull(Text(35)),
  publishedAt: OrNull(Text(40)),
  publishedText: OrNull(Text(256)),
  reviewer: OrNull(Closed({ displayName: OrNull(Text(512)), profileUrl: OrNull(Uri()), avatarUrl: OrNull(Uri()) })),
  ownerResponse: OrNull(Text(20_000)),
  sourceUrl: OrNull(Uri()),
});

const Photo = Closed({
  position: Type.Integer({ minimum: 0, maximum: integerMax }),
  id: OrNull(Text(512)),
  mediaType: Type.Enum(["photo", "video"]),
  url: OrNull(Uri()),
  thumbnailUrl: OrNull(Uri()),
  width: OrNull(Type.Number({ minimum: 0 })),
  height: OrNull(Type.Number({ minimum: 0 })),
  attribution: OrNull(Text(1000)),
});

const TimeOfDay = () => Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$" });
const DaySlots = () => Type.Array(Closed({ opens: TimeOfDay(), closes: TimeOfDay() }), { maxItems: 24 });

const OpeningHours = Type.Object(
  {
    weekly: OrNull(
      Closed({
        monday: DaySlots(),
        tuesday: DaySlots(),
        wednesday: DaySlots(),
        thursday: DaySlots(),
        friday: DaySlots(),
        saturday: DaySlots(),
        sunday: DaySlots(),
      }),
    ),
    raw: OrNull(Text(2000)),
  },
  {
    additionalProperties: false,
    description:
      "weekly lists the opening slots of each day in local time, an empty day being closed; a slot that closes at or before the time it opens ends on the next day. raw is the source's own text.",
  },
);

const Contact = Closed({
  type: Type.Enum(["email", "social"]),
  value: Text(2048),
  sourceUrl: Uri(),
  seenAt: Timestamp(),
});

const MediaState = () => Type.Enum(["not_requested", "unavailable", "returned", "truncated_by_schema"]);

export const Place = Type.Object(
  {
    placeId: OrNull(Text(512)),
    cid: OrNull(Text(64)),
    dataId: OrNull(Text(512)),
    name: OrNull(Text(1000)),
    description: OrNull(Text(10_000)),
    plusCode: OrNull(Text(128)),
    timeZone: OrNull(Text(128)),
    note: OrNull(Text(10_000)),
    hotelClass: OrNull(Type.Number({ minimum: 0, maximum: 5 })),
    amenities: Type.Array(Text(512), { maxItems: 200 }),
    about: Type.Array(
      Closed({
        category: Text(512),
        options: Type.Object(
          {},
          { propertyNames: { maxLength: 512 }, additionalProperties: Type.Union([Type.Boolean(), Text(1000)]) },
        ),
      }),
      { maxItems: 100 },
    ),
    phones: Type.Array(Text(128), { maxItems: 100 }),
    claimed: OrNull(Type.Boolean()),
    owner: OrNull(Closed({ id: OrNull(Text(512)), name: OrNull(Text(1000)), profileUrl: OrNull(Uri()) })),
    kgmid: OrNull(Text(512)),
    knowledgeUrl: OrNull(Uri()),
    reviewUrl: OrNull(Uri()),
    featuredImageUrl: OrNull(Uri()),
    businessStatus: OrNull(Text(128)),
    category: OrNull(Text(512)),
    categories: Type.Array(Text(512), { maxItems: 100 }),
    address: Address,
    location: OrNull(Location),
    phone: OrNull(Text(128)),
    website: OrNull(Uri()),
    domain: OrNull(Text(253)),
    rating: OrNull(Type.Number({ minimum: 0, maximum: 5 })),
    reviewCount: OrNull(Type.Integer({ minimum: 0, maximum: integerMax })),
    emails: Type.Array(Type.String({ format: "email", maxLength: 254 }), { maxItems: 100 }),
    socialProfiles: Type.Array(Uri(), { maxItems: 100 }),
    reviewsState: MediaState(),
    reviews: Type.Array(Review, { maxItems: 10 }),
    photosState: MediaState(),
    photos: Type.Array(Photo, { maxItems: 20 }),
    openingHours: OrNull(OpeningHours),
    priceRange: OrNull(Text(128)),
    mapsUrl: OrNull(Uri()),
    observedAt: Timestamp(),
    language: OrNull(Text(35)),
    contactsCheckedAt: OrNull(Timestamp()),
    enrichmentState: Type.Enum(["not_requested", "done", "no_website", "blocked_by_robots", "failed", "timed_out"]),
    contacts: Type.Array(Contact, { maxItems: 200 }),
    fieldStates: Type.Object(
      {},
      {
        additionalProperties: Type.Enum(["absent", "not_supplied", "not_supported", "parse_failed"]),
        description:
          "For each field that is null or empty, why: the source has none (absent), withheld it this time (not_supplied), never has it (not_supported), or sent something unreadable (parse_failed).",
      },
    ),
  },
  { additionalProperties: false },
);

/**
 * What else a place is called, in the further data sets that its listing was put together from. It
 * stays with us: a symbol is in no JSON.
 */
export const otherIds = Symbol("other ids");

/** What a source knows of one business. */
export type Place = Static<typeof Place> & { [otherIds]?: readonly string[] };
