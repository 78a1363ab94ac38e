/**
 * The sixty commonest kinds of place: those that the categories of Overture say exactly, by the places that its
 * publisher counted in December 2025, the commonest first. "Some shop" and "some office" are none.
 */
export const commonestKinds: readonly string[] = `
  amenity/restaurant shop/beauty tourism/hotel amenity/school amenity/cafe office/estate_agent shop/car_repair
  shop/clothes amenity/place_of_worship/christian tourism/attraction shop/supermarket office/ngo amenity/bar
  shop/hairdresser shop/party amenity/bank office/government amenity/clinic leisure/fitness_centre amenity/dentist
  amenity/fuel shop/car shop/travel_agency amenity/pharmacy amenity/hospital amenity/fast_food
  office/educational_institution office/lawyer amenity/doctors shop/bakery shop/convenience office/financial
  leisure/park office/advertising_agency shop/furniture office/company shop/florist amenity/restaurant/pizza
  office/insurance amenity/university office/it shop/trade office/religion shop/massage amenity/atm
  leisure/sports_centre amenity/kindergarten shop/mobile_phone amenity/post_office shop/copyshop shop/car_parts
  amenity/ice_cream amenity/restaurant/japanese shop/computer shop/jewelry healthcare/psychotherapist club/sport
  shop/hardware shop/shoes shop/electronics
`
  .trim()
  .split(/\s+/);
