/** What the kinds of two records say of whether they may be one business. */
export type KindMatch = "same" | "kin" | "unknown" | "different";

/** Kinds that stand in or beside another business and go by its name: a bank's cash machine, a store's pharmacy. */
const unitKinds: ReadonlySet<string> = new Set(
  [
    "amenity/atm amenity/fuel amenity/charging_station amenity/pharmacy amenity/car_wash amenity/parking",
    "amenity/vending_machine amenity/money_transfer amenity/post_office amenity/post_box amenity/parcel_locker",
    "amenity/bureau_de_change amenity/food_court amenity/swimming_pool amenity/toilets amenity/bicycle_rental",
    "shop/photo shop/optician shop/hearing_aids shop/tyres shop/ticket shop/lottery shop/florist craft/photographer",
    "shop/garden_centre shop/mobile_phone shop/gas leisure/swimming_pool amenity/conference_centre amenity/events_venue",
    "highway/bus_stop public_transport/platform public_transport/stop_position amenity/taxi amenity/bus_station",
    "public_transport/station_bus amenity/parking_entrance amenity/bicycle_parking amenity/parking_space",
    "tourism/information amenity/drinking_water amenity/fountain amenity/sanitary_dump_station",
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
  "mobile_phone telecommunication computer electronics",
  "garden_centre florist gardener agrarian",
  "pharmacy chemist health_food medical_supply drugstore",
  "post_office copyshop post_partner courier shipping",
  "furniture doityourself hardware interior_decoration kitchen trade paint flooring carpet bed houseware lighting appliance carpenter plumber electrician hvac roofer builder construction_company tiler cleaning",
  "bank financial insurance tax_advisor accountant financial_advisor money_lender pawnbroker",
  "school kindergarten college university childcare educational_institution training music_school language_school prep_school",
  "place_of_worship church mosque temple synagogue religion monastery",
  "fitness_centre sports_centre sports_hall dance pitch golf_course stadium club sport",
  "lawyer notary estate_agent company consulting it advertising_agency employment_agency government association ngo architect engineer coworking",
];

const familyByKind = new Map(families.flatMap((names, index) => names.split(" ").map((name) => [name, index])));

/** Families whose members stand side by side under one name: a dealer's cars, its workshop and its parts. */
const apartFamilies: ReadonlySet<number | undefined> = new Set([familyByKind.get("car_repair")]);

/** The kinds of two records, best first: what each is above all must suit what the other is. */
export function compareKinds(first: readonly string[], second: readonly string[]): KindMatch {
  const [a, b] = [specific(first), specific(second)];
  const [mainA, mainB] = [a[0], b[0]];
  if (mainA === undefined || mainB === undefined) return "unknown";
  if (unitOf(mainA) === unitOf(mainB)) return "same";
  if (sight.test(mainA) || sight.test(mainB)) return isUnit(mainA) || isUnit(mainB) ? "different" : "unknown";
  if (isKin(mainA, mainB)) return "kin";
  if (isUnit(mainA) || isUnit(mainB)) return "different";
  return b.includes(mainA) || a.includes(mainB) ? "kin" : "different";
}

/** Kinds of what people come to look at, whatever else it is. */
const sight = /^(?:historic\/|tourism\/(?:attraction|artwork)$)/;

/** Whether one of two records is a unit of another business, such as its cash machine, and the other is not one of that kind. */
export function isUnitOfOther(first: readonly string[], second: readonly string[]): boolean {
  const [mainA, mainB] = [specific(first)[0], specific(second)[0]];
  if (mainA === undefined || mainB === undefined) return false;
  return unitOf(mainA) !== unitOf(mainB) && !isKin(mainA, mainB) && (isUnit(mainA) || isUnit(mainB));
}

/** Whether several of these kinds stand side by side under one name: forecourts, cash machines. */
export function isUnitKind(kinds: readonly string[]): boolean {
  return isUnit(specific(kinds)[0] ?? "");
}

/** Whether something of these kinds may be called by a word for those kinds. */
export function suits(kinds: readonly string[], named: readonly string[]): boolean {
  const known = specific(kinds);
  const meant = specific(named);
  if (kinds.length === 0 || meant.length === 0) return true;
  // Something of which nothing is known but that it is a shop is no cash machine.
  if (known.length === 0) return !meant.some(isUnit);
  return isOfKind(known, meant) || meant.some((kind) => isKin(kind, known[0] ?? ""));
}

/** Whether something of these kinds is of one of those. */
export function isOfKind(kinds: readonly string[], named: readonly string[]): boolean {
  return named.some((kind) => kinds.some((each) => unitOf(each) === unitOf(kind)));
}

/** Whether a word for these kinds names what stands apart from something of those kinds, though it is kin. */
export function standApart(kinds: readonly string[], named: readonly string[]): boolean {
  const main = specific(kinds)[0];
  if (main === undefined || isOfKind([main], named)) return false;
  return specific(named).some((kind) => isKin(kind, main) && apartFamilies.has(familyOf(kind)));
}

/** Whether a word for these kinds, the likeliest first, is one for a unit of another business. */
export function areUnits([likeliest = ""]: readonly string[]): boolean {
  return isUnit(likeliest);
}

function isUnit(kind: string): boolean {
  return unitKinds.has(unitOf(kind));
}

function isKin(a: string, b: string): boolean {
  const family = familyOf(a);
  return family !== undefined && family === familyOf(b);
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
