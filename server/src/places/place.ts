import type { Static, TSchema, TSchemaOptions } from "typebox";
import { Type } from "../platform/schema.ts";
import { fieldStates } from "./field-states.ts";

/** The largest integer that JSON numbers carry exactly: 2^53 - 1. */
const integerMax = Number.MAX_SAFE_INTEGER;

// Every field says what it is: the API reference shows these sentences.
const Text = (maxLength: number, description: string) => Type.String({ maxLength, description });
const Uri = (description: string) => Type.String({ format: "uri", maxLength: 2048, description });
const Timestamp = (description: string) => Type.String({ format: "date-time", description });
const Position = (description: string) => Type.Integer({ minimum: 0, maximum: integerMax, description });
const OneOf = <const Values extends string[]>(values: readonly [...Values], description: string) =>
  Type.Enum(values, { description });

/** The value or null; the description stands at the field, where readers look for it. */
const OrNull = <Schema extends TSchema & { description?: string }>(schema: Schema) => {
  const { description, ...rest } = schema;
  const options: TSchemaOptions = description === undefined ? {} : { description };
  return Type.Union([rest as unknown as Schema, Type.Null()], options); // the same schema without its description
};

const Closed = <Properties extends Record<string, TSchema>>(properties: Properties, description: string) =>
  Type.Object(properties, { additionalProperties: false, description });

const Address = Closed(
  {
    formatted: OrNull(Text(2000, "The whole address on one line, as its country writes it.")),
    street: OrNull(Text(1000, "Street and house number.")),
    city: OrNull(Text(512, "City, town or village.")),
    region: OrNull(Text(512, "State, province or region.")),
    postalCode: OrNull(Text(64, "Postal code.")),
    countryCode: OrNull(
      Type.String({ minLength: 2, maxLength: 2, description: "ISO 3166-1 code of the country, two capital letters." }),
    ),
    municipality: OrNull(Text(512, "The municipality, where it is another name than the city.")),
  },
  "Where the business is, in parts; a part that is not known is null.",
);

const Location = Closed(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90, description: "Degrees north, WGS 84." }),
    longitude: Type.Number({ minimum: -180, maximum: 180, description: "Degrees east, WGS 84." }),
  },
  "The point on the map.",
);

const Reviewer = Closed(
  {
    displayName: OrNull(Text(512, "The name the reviewer shows.")),
    profileUrl: OrNull(Uri("The reviewer's page.")),
    avatarUrl: OrNull(Uri("The reviewer's picture.")),
  },
  "Who wrote the review.",
);

const Review = Closed(
  {
    position: Position("Place in the source's order, from 0."),
    id: OrNull(Text(512, "The source's id of the review.")),
    rating: OrNull(Type.Number({ minimum: 0, maximum: 5, description: "Stars, 0 to 5." })),
    text: OrNull(Text(20_000, "What the reviewer wrote. Untrusted third-party text.")),
    language: OrNull(Text(35, "Language tag of the text.")),
    publishedAt: OrNull(Text(40, "When it was published, as a timestamp.")),
    publishedText: OrNull(Text(256, "When it was published, in the source's words.")),
    reviewer: OrNull(Reviewer),
    ownerResponse: OrNull(Text(20_000, "What the owner answered. Untrusted third-party text.")),
    sourceUrl: OrNull(Uri("The review's own page.")),
  },
  "One review.",
);

const Photo = Closed(
  {
    position: Position("Place in the source's order, from 0."),
    id: OrNull(Text(512, "The source's id of the photo.")),
    mediaType: OneOf(["photo", "video"], "Whether it is a still or a moving picture."),
    url: OrNull(Uri("The picture itself.")),
    thumbnailUrl: Type.Optional(Uri("A small version; left out when the source has none.")),
    width: Type.Optional(Type.Number({ minimum: 0, description: "Pixels; left out when not known." })),
    height: Type.Optional(Type.Number({ minimum: 0, description: "Pixels; left out when not known." })),
    attribution: Type.Optional(Text(1000, "Who is to be credited; left out when the source names nobody.")),
  },
  "One photo or video.",
);

const TimeOfDay = (description: string) =>
  Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$", description });
const Slot = Closed(
  { opens: TimeOfDay("Local time, HH:MM."), closes: TimeOfDay("Local time, HH:MM; 24:00 is midnight.") },
  "From when to when it is open; one that closes at or before the time it opens ends on the next day.",
);
const DaySlots = (day: string) =>
  OrNull(
    Type.Array(Slot, {
      maxItems: 24,
      description: `Slots that begin on ${day}; empty when closed, null when the source's text for it cannot be read.`,
    }),
  );

const OpeningHours = Closed(
  {
    weekly: OrNull(
      Closed(
        {
          monday: DaySlots("Monday"),
          tuesday: DaySlots("Tuesday"),
          wednesday: DaySlots("Wednesday"),
          thursday: DaySlots("Thursday"),
          friday: DaySlots("Friday"),
          saturday: DaySlots("Saturday"),
          sunday: DaySlots("Sunday"),
        },
        "The opening slots of an ordinary week; null when no day of the source's text can be read.",
      ),
    ),
    raw: OrNull(Text(2000, "The source's own text.")),
  },
  "When the business is open, in its local time.",
);

const About = Closed(
  {
    category: Text(512, "The group's title, in the language of the request."),
    options: Type.Object(
      {},
      {
        propertyNames: { maxLength: 512 },
        additionalProperties: Type.Union([Type.Boolean(), Type.String({ maxLength: 1000 })]),
        description: "Each option by its label: true, false, or what holds.",
      },
    ),
  },
  "A group of facts, such as accessibility.",
);

const Owner = Closed(
  {
    id: OrNull(Text(512, "The source's id of the owner.")),
    name: OrNull(Text(1000, "The owner's name.")),
    profileUrl: OrNull(Uri("The owner's page.")),
  },
  "Who runs the business.",
);

const Contact = Closed(
  {
    type: OneOf(["email", "social"], "What kind of contact it is."),
    value: Text(2048, "The address or the profile's URL."),
    sourceUrl: Uri("The page it was found on."),
    seenAt: Timestamp("When it was seen there."),
  },
  "A contact found on the business's own website.",
);

const mediaStates = ["not_requested", "unavailable", "returned", "truncated_by_schema"] as const;

export const Place = Type.Object(
  {
    placeId: OrNull(Text(512, "The source's id of the place, with the source's prefix.")),
    cid: OrNull(Text(64, "The web map's numeric id, as text: it exceeds what a JSON number carries.")),
    dataId: OrNull(Text(512, "The web map's internal id.")),
    name: OrNull(Text(1000, "Name, in the language of the request where the source has it.")),
    description: OrNull(Text(10_000, "What the business or the source says about it. Untrusted third-party text.")),
    plusCode: OrNull(Text(128, "Open Location Code of the location.")),
    timeZone: OrNull(Text(128, "IANA name of the local time zone.")),
    note: OrNull(Text(10_000, "A short notice that the source shows.")),
    hotelClass: OrNull(Type.Number({ minimum: 0, maximum: 5, description: "Official stars of a hotel." })),
    amenities: Type.Array(Text(512, "A label."), {
      maxItems: 200,
      description: "What there is, as labels in the language of the request.",
    }),
    about: Type.Array(About, { maxItems: 100, description: "Facts in groups, those that do not hold included." }),
    phones: Type.Array(Text(128, "A number."), {
      maxItems: 100,
      description: "Every known telephone number, in international form.",
    }),
    claimed: OrNull(Type.Boolean({ description: "Whether the owner has claimed the listing." })),
    owner: OrNull(Owner),
    kgmid: OrNull(Text(512, "Id in the web map's knowledge graph.")),
    knowledgeUrl: OrNull(Uri("An encyclopedia's or knowledge base's page about it.")),
    reviewUrl: OrNull(Uri("Where reviews are read or written.")),
    featuredImageUrl: OrNull(Uri("The picture that stands for it.")),
    businessStatus: OrNull(Text(128, "Such as OPERATIONAL, CLOSED_TEMPORARILY, CLOSED_PERMANENTLY.")),
    category: OrNull(Text(512, "The main category, in the language of the request.")),
    categories: Type.Array(Text(512, "A label."), {
      maxItems: 100,
      description: "All categories, the main one first, in the language of the request.",
    }),
    address: Address,
    location: OrNull(Location),
    phone: OrNull(Text(128, "The first of phones.")),
    website: OrNull(Uri("The business's own website.")),
    domain: OrNull(Text(253, "The website's registrable domain.")),
    rating: OrNull(Type.Number({ minimum: 0, maximum: 5, description: "Average rating in stars." })),
    reviewCount: OrNull(
      Type.Integer({ minimum: 0, maximum: integerMax, description: "How many ratings the average is of." }),
    ),
    emails: Type.Array(Type.String({ format: "email", maxLength: 254, description: "An e-mail address." }), {
      maxItems: 100,
      description: "E-mail addresses, those of the website included when extra is true.",
    }),
    socialProfiles: Type.Array(Uri("A profile."), {
      maxItems: 100,
      description: "Profiles on social networks, those of the website included when extra is true.",
    }),
    reviewsState: OneOf(mediaStates, "Whether reviews were requested and came; truncated_by_schema when cut at 10."),
    reviews: Type.Array(Review, { maxItems: 10, description: "Reviews; only with extra." }),
    photosState: OneOf(mediaStates, "Whether photos were requested and came; truncated_by_schema when cut at 20."),
    photos: Type.Array(Photo, { maxItems: 20, description: "Photos and videos; only with extra." }),
    openingHours: OrNull(OpeningHours),
    priceRange: OrNull(Text(128, "The source's own price level or range.")),
    mapsUrl: OrNull(Uri("The place on a map.")),
    observedAt: Timestamp(
      "When the publisher last knew the record: its own date, else that of its data set; of a live source, when it answered.",
    ),
    language: OrNull(Text(35, "Language tag of the labels.")),
    contactsCheckedAt: OrNull(Timestamp("When the website was read for contacts.")),
    enrichmentState: OneOf(
      ["not_requested", "done", "no_website", "blocked_by_robots", "failed", "timed_out"],
      "What became of reading the website for contacts, which extra asks for.",
    ),
    contacts: Type.Array(Contact, { maxItems: 200, description: "What the website gave, each with its page." }),
    fieldStates: Type.Object(
      {},
      {
        additionalProperties: Type.Enum([...fieldStates]),
        description:
          "For each field that is null or empty, why: the source has none (absent), withheld it this time (not_supplied), never has it (not_supported), sent something unreadable (parse_failed), or it comes only with extra (not_requested). A part of an object is named with a dot, as address.region.",
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

/** Which business a place of the catalog is, and its revision without what is added to it. It stays with us too. */
export const catalogBusiness = Symbol("business of the catalog");
export type CatalogBusiness = { id: string; revision: number };

/** What a source knows of one business. */
export type Place = Static<typeof Place> & {
  [otherIds]?: readonly string[];
  [catalogBusiness]?: CatalogBusiness;
};
