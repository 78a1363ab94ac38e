import { createHash } from "node:crypto";
import { joinStreet } from "../../address.ts";
import { readEmail, readPhones, readWebsite, splitList } from "../../contacts.ts";
import { countryOf } from "../../country.ts";
import { readOpeningHours } from "../../opening-hours.ts";
import {
  categoriesOfTags,
  categoryOfOverture,
  normalize,
  tagsOfCategory,
  termsOf,
  titleOf,
} from "../../vocabulary/index.ts";
import type { PlaceRecord } from "../../open-data/record.ts";
import { isPoint } from "./reader.ts";

/** What a table or a feature can say of a place; columns are mapped onto these. */
export type Field = (typeof fieldList)[number];
const fieldList = [
  "id",
  "name",
  "latitude",
  "longitude",
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
  "brand",
] as const;

/** Names that exports give their columns, normalized, the most telling first. */
const columnNames: Readonly<Record<Field, string>> = {
  id: "id,osm id,place id,identifier,uid,uuid,fid,objectid,gid",
  name: "name,title,business name,company,company name,store name,place name,names primary,nom,nombre,nome,naam,bezeichnung,firma",
  latitude: "latitude,lat,y,geo lat,coord y,breitengrad,breite,latitud,latitudine,breedtegraad",
  longitude: "longitude,lon,lng,long,x,geo lon,geo lng,coord x,langengrad,lange,longitud,longitudine,lengtegraad",
  category:
    "category,categories,type,kind,industry,amenity,shop,tourism,categories primary,kategorie,categorie,categoria,branche",
  street:
    "street,address,addr street,street address,address line 1,address1,strasse,rue,calle,via,rua,straat,adresse,anschrift,direccion,indirizzo,endereco,adres",
  houseNumber: "house number,housenumber,addr housenumber,street number,hausnummer,numero,nr,numero civico,huisnummer",
  city: "city,town,addr city,locality,municipality,ort,stadt,ville,ciudad,citta,cidade,plaats,stad,gemeinde,commune,municipio,comune,gemeente",
  region: "region,state,province,addr state,county,bundesland,provincia,estado,kanton,canton,regione,provincie",
  postalCode:
    "postal code,postcode,zip,zipcode,zip code,addr postcode,plz,code postal,codigo postal,cap,cep,postleitzahl",
  country: "country code,country,addr country,land,pays,pais,paese",
  phone:
    "phone,telephone,tel,phone number,contact phone,telefon,telefono,telefone,telefoon,telefonnummer,telefoonnummer",
  website: "website,url,web,homepage,site,contact website,webseite,sitio web,sito,site web,pagina web,sito web",
  email: "email,e mail,mail,contact email,correo,courriel,correo electronico",
  openingHours:
    "opening hours,hours,openinghours,offnungszeiten,horaires,horaires d ouverture,horario,horarios,orari,orario,openingstijden",
  description: "description,beschreibung,descripcion,descrizione,descricao,omschrijving",
  brand: "brand,chain,marke,marque",
};

/** Which of these columns says what, by their names: the name to look under for each field. */
export function guessColumns(columns: readonly string[]): Partial<Record<Field, string>> {
  const byName = new Map(columns.toReversed().map((column) => [normalize(column).join(" "), column]));
  const guessed: Partial<Record<Field, string>> = {};
  for (const field of fieldList) {
    const found = columnNames[field].split(",").find((name) => byName.has(name));
    const column = found === undefined ? undefined : byName.get(found);
    if (column !== undefined) guessed[field] = column;
  }
  return guessed;
}

export function isField(name: string): name is Field {
  return (fieldList as readonly string[]).includes(name);
}

export type Values = Partial<Record<Field, string>>;

/** Where ids come from: `scope` tells those of one data set from those of another that numbers its places alike. */
export type IdSource = { kind: "geojson" | "csv"; scope: string };

export function idSourceOf(kind: IdSource["kind"], dataSet = ""): IdSource {
  return { kind, scope: createHash("sha256").update(dataSet).digest("hex").slice(0, scopeDigits) };
}

const scopeDigits = 12;
/** Ids are indexed, which the database does up to a length. */
const idCharactersMax = 250;

/** Why values tell of no place; undefined when they do. */
export function problemOfValues({ id = "", name = "", latitude, longitude }: Values): string | undefined {
  if (name.trim() === "") return "no name";
  if (!isPoint(degrees(latitude), degrees(longitude))) return "no coordinates that can be read";
  return problemOfId(id);
}

export function problemOfId(id: string): string | undefined {
  return id.trim().length > idCharactersMax ? `an id of more than ${idCharactersMax} characters` : undefined;
}

/** The place that values tell of; undefined when they have a problem. */
export function recordOfValues(ids: IdSource, values: Values): PlaceRecord | undefined {
  if (problemOfValues(values) !== undefined) return undefined;
  const [latitude, longitude] = [degrees(values.latitude), degrees(values.longitude)];
  const name = values.name?.trim() ?? "";

  const countryCode = countryOf(values.country?.trim(), latitude, longitude);
  const phones = readPhones(splitList(values.phone ?? ""), countryCode);
  const website = splitList(values.website ?? "")
    .map(readWebsite)
    .find((url) => url !== null);
  const emails = splitList(values.email ?? "")
    .map(readEmail)
    .filter((email) => email !== null);
  const openingHours = readOpeningHours(values.openingHours ?? "");
  return {
    sourceId: sourceIdOf(ids, values.id?.trim() ?? "", [name, latitude, longitude]),
    name,
    namesByLanguage: {},
    otherNames: values.brand && values.brand !== name ? [values.brand] : [],
    ...readCategories(values.category ?? ""),
    latitude,
    longitude,
    address: {
      street: joinStreet(textOr(values.street), textOr(values.houseNumber), countryCode),
      city: textOr(values.city),
      region: textOr(values.region),
      postalCode: textOr(values.postalCode),
      countryCode,
    },
    details: {
      ...(phones.length > 0 ? { phones } : {}),
      ...(phones.length === 0 && values.phone?.trim() ? { unreadable: ["phones" as const] } : {}),
      ...(website === undefined ? {} : { website }),
      ...(emails.length > 0 ? { emails } : {}),
      ...(openingHours === null ? {} : { openingHours }),
      ...(values.description?.trim() ? { descriptionsByLanguage: { "": values.description.trim() } } : {}),
    },
  };
}

/** A category may be an id of ours, one of Overture's, a value of a tag, or a word in any of seven languages. */
export function readCategories(text: string): Pick<PlaceRecord, "categories" | "categoryLabels"> {
  const categories: string[] = [];
  const labels: string[] = [];
  for (const part of text.split(/[;|,]/).map((word) => word.trim())) {
    if (part === "") continue;
    const category = categoryOfWord(part);
    if (category === undefined) labels.push(titleOf(part));
    else categories.push(category, ...categoriesOfTags(tagsOfCategory(category) ?? {}));
  }
  return { categories: [...new Set(categories)], categoryLabels: [...new Set(labels)] };
}

function categoryOfWord(word: string): string | undefined {
  const id = word.replace("=", "/");
  if (tagsOfCategory(id) !== undefined) return id;
  const term = normalize(word).join(" ");
  for (const language of ["en", "de", "fr", "es", "it", "pt", "nl"]) {
    const [category] = termsOf(language).get(term) ?? [];
    if (category !== undefined) return category;
  }
  return categoryOfOverture(normalize(word).join("_"));
}

/** A place without an id is recognized by its name and point, whatever data set tells of it. */
function sourceIdOf({ kind, scope }: IdSource, id: string, nameAndPoint: readonly (string | number)[]): string {
  if (id !== "") return `${kind}:${scope}/${id}`;
  return `${kind}:${createHash("sha256").update(JSON.stringify(nameAndPoint)).digest("hex").slice(0, 32)}`;
}

/** Decimal degrees, with a comma too; NaN for anything else. */
function degrees(text: string | undefined): number {
  const value = (text ?? "").trim().replace(/^([+-]?\d+),(\d+)$/, "$1.$2");
  return value === "" ? Number.NaN : Number(value);
}

function textOr(text: string | undefined): string | null {
  return text?.trim() || null;
}
