import { tagsOfCategory } from "./categories.ts";

// What the words of an Overture id do not say by themselves. Ids whose words are a term of the
// English vocabulary, and families such as `…_restaurant`, need no line here.
const known: ReadonlyMap<string, string> = new Map(
  `
accommodation tourism/hotel
advertising_agency office/advertising_agency
american_restaurant amenity/restaurant/american
antique_store shop/antiques
appliance_store shop/appliance
architectural_designer office/architect
arts_and_crafts shop/craft
atms amenity/atm
auto_parts_and_supply_store shop/car_parts
automotive_repair shop/car_repair
auto_body_shop shop/car_repair
bail_bonds_service office/lawyer
bank_credit_union amenity/bank
bar_and_grill_restaurant amenity/restaurant
barbecue_restaurant amenity/restaurant/barbecue
beauty_and_spa shop/beauty
beauty_salon shop/beauty
bed_and_breakfast tourism/guest_house
beer_bar amenity/bar
beer_garden amenity/biergarten
bike_repair_maintenance shop/bicycle
boutique shop/clothes
bowling_alley leisure/bowling_alley
brewery craft/brewery
bridal_shop shop/clothes/wedding
bubble_tea amenity/cafe
building_supply_store shop/trade
burger_restaurant amenity/fast_food/burger
cabin tourism/chalet
campground tourism/camp_site
candy_store shop/confectionery
cannabis_dispensary shop/cannabis
car_dealer shop/car
carpet_store shop/carpet
caterer craft/caterer
child_care_and_day_care amenity/childcare
church_cathedral amenity/place_of_worship
cocktail_bar amenity/bar
coffee_shop amenity/cafe
college_university amenity/university
comic_books_store shop/books
commercial_printer shop/copyshop
cosmetic_and_beauty_supplies shop/cosmetics
cottage tourism/chalet
counseling_and_mental_health healthcare/psychotherapist
day_care_preschool amenity/kindergarten
delicatessen shop/deli
dental_hygienist amenity/dentist
desserts amenity/ice_cream
diner amenity/restaurant
discount_store shop/variety_store
doctor amenity/doctors
donuts amenity/fast_food/donut
e_cigarette_store shop/e-cigarette
eat_and_drink amenity/restaurant
educational_services office/educational_institution
elementary_school amenity/school
employment_agencies office/employment_agency
engineering_services office/engineer
event_planning shop/party
eyewear_and_optician shop/optician
family_practice amenity/doctors
farmers_market amenity/marketplace
fashion shop/clothes
fashion_accessories_store shop/fashion_accessories
fishmonger shop/seafood
fitness_trainer leisure/fitness_centre
flowers_and_gifts_shop shop/florist
food_truck amenity/fast_food
frozen_yoghurt_shop amenity/ice_cream
fruits_and_vegetables shop/greengrocer
funeral_services_and_cemeteries shop/funeral_directors
gas_station amenity/fuel
gift_shop shop/gift
grocery_store shop/supermarket
gun_and_ammo shop/weapons
gym leisure/fitness_centre
hair_salon shop/hairdresser
hardware_store shop/hardware
health_and_medical amenity/clinic
health_food_store shop/health_food
hearing_aids shop/hearing_aids
high_school amenity/school
hobby_shop shop/hobby
holiday_rental_home tourism/apartment
home_cleaning craft/cleaning
home_goods_store shop/houseware
home_improvement_store shop/doityourself
hospital amenity/hospital
hot_tubs_and_pools shop/swimming_pool
hunting_and_fishing_supplies shop/fishing
ice_cream_shop amenity/ice_cream
inn tourism/guest_house
insurance_agency office/insurance
internet_service_provider office/telecommunication
irish_pub amenity/pub/irish
it_service_and_computer_repair shop/computer
jewelry_store shop/jewelry
landmark_and_historical_building tourism/attraction
landscaping craft/gardener
laundromat shop/laundry
legal_services office/lawyer
lingerie_store shop/clothes/underwear
liquor_store shop/alcohol
lodge tourism/hotel
lounge amenity/bar
lumber_store shop/trade
marketing_agency office/advertising_agency
mattress_store shop/bed
medical_center amenity/clinic
medical_supply shop/medical_supply
middle_school amenity/school
mobile_phone_accessories shop/mobile_phone
mobile_phone_repair shop/mobile_phone
mobile_phone_store shop/mobile_phone
mosque amenity/place_of_worship/muslim
music_and_dvd_store shop/music
musical_instrument_store shop/musical_instrument
nail_salon shop/beauty/nails
newspaper_and_magazines_store shop/newsagent
notary_public office/notary
nursery_and_gardening shop/garden_centre
outdoor_gear shop/outdoor
party_supply shop/party
pet_store shop/pet
pet_groomer shop/pet_grooming
pizza_delivery_service amenity/fast_food/pizza
preschool amenity/kindergarten
printing_services shop/copyshop
private_investigation office/private_investigator
professional_services office/company
pub amenity/pub
real_estate office/estate_agent
real_estate_agent office/estate_agent
real_estate_service office/estate_agent
recycling_center amenity/recycling_centre
retail shop
rv_park tourism/caravan_site
salad_bar amenity/restaurant
sandwich_shop amenity/fast_food/sandwich
school amenity/school
self_storage_facility shop/storage_rental
sewing_and_alterations craft/tailor
shipping_center amenity/post_office
shoe_repair craft/shoemaker
shopping shop
shopping_center shop/mall
sign_making craft/signmaker
software_development office/it
specialty_grocery_store shop/deli
sporting_goods shop/sports
sports_and_recreation_venue leisure/sports_centre
sports_bar amenity/bar
steakhouse amenity/restaurant/steakhouse
storage_facility shop/storage_rental
structural_engineer office/engineer
superstore shop/supermarket
tapas_bar amenity/restaurant/spanish
tea_room amenity/cafe
telecommunications office/telecommunication
thrift_store shop/charity
tire_shop shop/tyres
tobacco_shop shop/tobacco
toy_store shop/toys
used_vintage_and_consignment shop/second_hand
venue_and_event_space amenity/events_venue
video_and_video_game_rentals shop/rental
video_game_store shop/video_games
vitamins_and_supplements shop/nutrition_supplements
web_designer office/it
wholesale_store shop/wholesale
wine_bar amenity/bar
winery craft/winery
fast_food_restaurant amenity/fast_food
noodles_restaurant amenity/restaurant/noodle
vegetarian_restaurant amenity/restaurant
bagel_shop amenity/fast_food/bagel
meat_shop shop/butcher
dry_cleaning shop/dry_cleaning
food amenity/restaurant
food_stand amenity/fast_food
watch_store shop/watches
luggage_store shop/bag
candle_store shop/candles
surf_shop shop/sports
skate_shop shop/sports
it_consultant office/it
graphic_designer office/graphic_design
event_photography craft/photographer
session_photography craft/photographer
videographer craft/photographer
wills_trusts_and_probate office/lawyer
security_services office/security
smoothie_juice_bar amenity/cafe
spas shop/massage
home_decor shop/interior_decoration
framing_store shop/frame
costume_store shop/party
electrical_supply_store shop/electrical
kitchen_supply_store shop/houseware
kitchen_and_bath shop/kitchen
firework_retailer shop/pyrotechnics
propane_supplier shop/gas
international_grocery_store shop/supermarket
formal_wear_store shop/clothes
uniform_store shop/clothes
t_shirt_store shop/clothes
designer_clothing shop/clothes
custom_clothing shop/clothes
window_treatment_store shop/curtain
linen shop/bed
office_equipment shop/stationery
machine_and_tool_rentals shop/tool_hire
flea_market amenity/marketplace
cemeteries amenity/grave_yard
computer_hardware_company office/it
stone_and_masonry craft/stonemason
embroidery_and_crochet shop/sewing
laboratory healthcare/laboratory
audio_visual_equipment_store shop/hifi
home_theater_systems_stores shop/hifi
hair_supply_stores shop/hairdresser_supply
popcorn_shop shop/confectionery
pretzels shop/bakery
chicken_wings_restaurant amenity/fast_food/chicken
pan_asian_restaurant amenity/restaurant/asian
asian_fusion_restaurant amenity/restaurant/asian
business_consulting office/consulting
marketing_consultant office/consulting
public_relations office/advertising_agency
internet_marketing_service office/advertising_agency
financial_service office/financial
party_and_event_planning shop/party
wedding_planning shop/party
office_cleaning craft/cleaning
janitorial_services craft/cleaning
appliance_repair_service craft/electronics_repair
mass_media office/newspaper
clothing_rental shop/clothes
screen_printing_t_shirt_printing shop/copyshop
psychologist healthcare/psychotherapist
physical_therapy healthcare/physiotherapist
chiropractor healthcare/alternative/chiropractic
parking amenity/parking
park leisure/park
pharmacy_service amenity/pharmacy
post_office amenity/post_office
wig_store shop/wigs
`
    .trim()
    .split("\n")
    .map((line): [string, string] => {
      const [overtureId = "", category = ""] = line.split(" ", 2);
      return [overtureId, category];
    }),
);

const restaurantEnding = /_restaurant$/;
const shopEnding = /_(store|stores|shop|supplier|supplies|supply)$/;
const lawEnding = /_law$|^divorce_and_family_law$/;

/** Trades that only say how they work, not at what: the label says the rest. */
const guesses: readonly (readonly [ending: RegExp, category: string])[] = [
  [/(^|_)(rental|rentals|hire)(_|$)/, "shop/rental"],
  [/(^|_)auction(_|$)|_(dealer|market|wholesaler|distributor)s?$/, "shop"],
  [/_(maker|repair|restoration|contractor|installation|taxidermist)s?$|^taxidermist$/, "craft"],
  [
    /_(service|services|agency|company|production|consultant|counseling|coach|testing|label|management)s?$/,
    "office/company",
  ],
];

/** The kinds that a phrase in English means, best first: Overture names its categories in English words. */
export type KindsOfPhrase = (phrase: string) => readonly string[] | undefined;

/** Our category for one of Overture's, as near as there is one. */
export function categoryOfOverture(overtureId: string, kindsOf: KindsOfPhrase): string | undefined {
  return knownCategory(overtureId, kindsOf) ?? guesses.find(([ending]) => ending.test(overtureId))?.[1];
}

/** Whether our category says what Overture's says, so that it can stand for it. */
export function isKnownOverture(overtureId: string, kindsOf: KindsOfPhrase): boolean {
  return knownCategory(overtureId, kindsOf) !== undefined;
}

function knownCategory(overtureId: string, kindsOf: KindsOfPhrase): string | undefined {
  const listed = known.get(overtureId);
  if (listed !== undefined) return exists(listed);
  if (restaurantEnding.test(overtureId)) {
    const cuisine = overtureId.replace(restaurantEnding, "");
    return exists(`amenity/restaurant/${cuisine}`) ?? exists(`amenity/fast_food/${cuisine}`) ?? "amenity/restaurant";
  }
  if (lawEnding.test(overtureId)) return "office/lawyer";

  const phrase = overtureId.replaceAll("_", " ");
  const kinds = kindsOf(phrase) ?? kindsOf(phrase.replace(/s$/, ""));
  if (kinds) return kinds[0];
  for (const family of ["shop", "amenity", "craft", "office", "leisure", "tourism", "healthcare"]) {
    const category = exists(`${family}/${overtureId}`);
    if (category) return category;
  }
  return shopEnding.test(overtureId) ? (exists(`shop/${overtureId.replace(shopEnding, "")}`) ?? "shop") : undefined;
}

function exists(categoryId: string): string | undefined {
  return tagsOfCategory(categoryId) === undefined ? undefined : categoryId;
}
