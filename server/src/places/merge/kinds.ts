/** What the kinds of two records say of whether they may be one business. */
export type KindMatch = "same" | "unknown" | "different";

/** Kinds that stand in or beside another business and go by its name: a bank's cash machine, a store's pharmacy. */
const unitKinds: ReadonlySet<string> = new Set(
  [
    "amenity/atm amenity/fuel amenity/charging_station amenity/pharmacy amenity/car_wash amenity/parking",
    "amenity/vending_machine amenity/money_transfer amenity/post_office amenity/post_box amenity/parcel_locker",
    "amenity/bureau_de_change amenity/food_court amenity/swimming_pool amenity/toilets amenity/bicycle_rental",
    "shop/photo shop/optician shop/hearing_aids shop/tyres shop/ticket shop/lottery shop/florist craft/photographer",
    "shop/garden_centre shop/mobile_phone shop/gas leisure/swimming_pool amenity/conference_centre amenity/events_venue",
  ]
    .join(" ")
    .split(" "),
);

/** Kinds that one business may be listed under in one data set and another in the next. */
const families: readonly string[] = [
  "restaurant cafe fast_food bar pub biergarten ice_cream food_court nightclub bakery pastry coffee confectionery deli tea chocolate caterer",
  "hotel motel guest_house hostel apartment chalet camp_site caravan_site resort",
  "clinic doctors dentist hospital doctor physiotherapist psychotherapist alternative health_centre nursing_home chiropractor optometrist",
  "car car_repair car_parts tyres motorcycle truck car_rental caravan boat motorcycle_repair",
  "supermarket convenience greengrocer general department_store variety_store wholesale food kiosk butcher seafood farm mall",
  "clothes shoes boutique fashion_accessories jewelry bag sports outdoor fabric",
  "hairdresser beauty cosmetics perfumery massage tattoo spa nails",
  "furniture doityourself hardware interior_decoration kitchen trade paint flooring carpet bed houseware lighting appliance electronics carpenter plumber electrician hvac roofer builder construction_company gardener tiler cleaning",
  "bank financial insurance tax_advisor accountant financial_advisor money_lender pawnbroker",
  "school kindergarten college university childcare educational_institution training music_school language_school prep_school",
  "place_of_worship church mosque temple synagogue religion monastery",
  "fitness_centre sports_centre sports_hall dance pitch golf_course stadium club sport",
  "lawyer notary estate_agent company consulting it advertising_agency employment_agency government association ngo architect engineer coworking",
];

const familyByKind = new Map(families.flatMap((names, index) => names.split(" ").map((name) => [name, index])));

/** The kinds of two records, best first: what each is above all must suit what the other is. */
export function compareKinds(first: readonly string[], second: readonly string[]): KindMatch {
  const [a, b] = [specific(first), specific(second)];
  const [mainA, mainB] = [a[0], b[0]];
  if (mainA === undefined || mainB === undefined) return "unknown";
  if (unitKinds.has(unitOf(mainA)) !== unitKinds.has(unitOf(mainB))) return "different";
  if (unitOf(mainA) === unitOf(mainB)) return "same";
  if (unitKinds.has(unitOf(mainA))) return "different";
  const [familyA, familyB] = [familyOf(mainA), familyOf(mainB)];
  if (familyA !== undefined && familyA === familyB) return "same";
  return b.includes(mainA) || a.includes(mainB) ? "same" : "different";
}

/** Whether something of these kinds may be called by a word for those kinds. */
export function suits(kinds: readonly string[], named: readonly string[]): boolean {
  const known = specific(kinds);
  const meant = specific(named);
  if (kinds.length === 0 || meant.length === 0) return true;
  // Something of which nothing is known but that it is a shop is no cash machine.
  if (known.length === 0) return !meant.some((kind) => unitKinds.has(unitOf(kind)));
  return meant.some(
    (kind) =>
      known.some((each) => unitOf(each) === unitOf(kind)) ||
      (!unitKinds.has(unitOf(kind)) && familyOf(kind) !== undefined && familyOf(kind) === familyOf(known[0] ?? "")),
  );
}

/** Whether a word for these kinds is one for a unit of another business. */
export function areUnits(kinds: readonly string[]): boolean {
  return kinds.some((kind) => unitKinds.has(unitOf(kind)));
}

/** Without attributes, and without kinds as wide as `shop`. */
function specific(kinds: readonly string[]): string[] {
  return kinds.filter((kind) => kind.includes("/") && !kind.startsWith("building/") && !kind.endsWith("/yes"));
}

/** An Italian restaurant is a restaurant. */
function unitOf(kind: string): string {
  return kind.split("/", 2).join("/");
}

function familyOf(kind: string): number | undefined {
  return familyByKind.get(kind.split("/")[1] ?? "");
}

/** People who share a practice share its telephone number, too. */
export function isPractice(kinds: readonly string[]): boolean {
  const [main = ""] = specific(kinds);
  return /^(healthcare\/|amenity\/(clinic|doctors|dentist|hospital)|office\/(lawyer|estate_agent|insurance|notary|therapist|financial))/.test(
    main,
  );
}
