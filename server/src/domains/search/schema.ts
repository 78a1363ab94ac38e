import type { Static } from "typebox";
import { Type } from "../../platform/schema.ts";
import type { Business } from "../businesses/index.ts";

// Neither can be stored as text: NUL, and halves of a surrogate pair.
const storable = "^[^\\u0000\\uD800-\\uDFFF]*$";

const latitude = "-?(?:90(?:\\.0+)?|[0-8]?[0-9](?:\\.[0-9]+)?)";
const longitude = "-?(?:180(?:\\.0+)?|(?:1[0-7][0-9]|[0-9]{1,2})(?:\\.[0-9]+)?)";
const zoom = "(?:[1-9]|1[0-9]|2[01])";

const Query = Type.String({
  minLength: 2,
  maxLength: 200,
  pattern: storable,
  description: "text without NUL or unpaired surrogates: what to look for, and where",
  examples: ["coffee in Vaduz"],
});

const Viewport = Type.String({
  maxLength: 80,
  pattern: `^@${latitude},${longitude},${zoom}z$`,
  description:
    "@<latitude>,<longitude>,<zoom>z with latitude -90 to 90, longitude -180 to 180 and a whole zoom of 1 to 21",
  examples: ["@47.1410,9.5209,14z"],
});

const Language = Type.String({
  minLength: 2,
  maxLength: 35,
  pattern: "^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$",
  description: "a language tag: 2 to 8 letters, then subtags of 1 to 8 letters or digits after hyphens",
  examples: ["de-LI"],
});

const Country = Type.String({
  minLength: 2,
  maxLength: 2,
  pattern: "^[A-Za-z]{2}$",
  description: "a country code of 2 letters",
  examples: ["li"],
});

const Page = Type.Integer({ minimum: 1, maximum: 10 });

/** The parameters of a search, as a client sends them. */
export const SearchRequest = Type.Object(
  {
    q: Query,
    page: Type.Optional({ ...Page, default: 1 }),
    ll: Type.Optional(Viewport),
    hl: Type.Optional(Language),
    gl: Type.Optional(Country),
    extra: Type.Optional(
      Type.Boolean({ default: false, description: "Also asks for reviews, photos and contact data." }),
    ),
  },
  { $id: "SearchRequest", additionalProperties: false },
);
export type SearchRequest = Static<typeof SearchRequest>;

/** The parameters with the defaults filled in. */
export const SearchParams = Type.Object(
  {
    q: Query,
    page: Page,
    hl: Language,
    extra: Type.Boolean(),
    ll: Type.Optional(Viewport),
    gl: Type.Optional(Country),
  },
  { additionalProperties: false, description: "The effective parameters: hl is en when none was given." },
);
export type SearchParams = Static<typeof SearchParams>;

export const SearchData = Type.Object(
  {
    simulated: Type.Boolean({ description: "True for the made-up businesses that test keys get." }),
    total: Type.Integer({ minimum: 0, maximum: 20 }),
    params: SearchParams,
    businesses: Type.Array(Type.Unsafe<Business>(Type.Ref("Business")), { maxItems: 20 }),
  },
  { additionalProperties: false },
);
export type SearchData = Static<typeof SearchData>;
