import assert from "node:assert/strict";
import { test } from "node:test";
import { wordsOf } from "../../text/words.ts";
import { type Described, pairUp } from "./pair.ts";

type Given = [name: string, category: string, phone?: string, web?: string];

/** The same business in two data sets, told differently. */
const same: [Given, Given][] = [
  [
    ["Café Amann", "amenity/cafe"],
    ["Cafe Amann AG", "amenity/cafe"],
  ],
  [
    ["Bäckerei Frick", "shop/bakery", "1"],
    ["Frick Bäckerei & Konditorei", "shop/bakery", "1"],
  ],
  [
    ["Luigi's", "amenity/restaurant"],
    ["Luigi's Restaurant", "amenity/restaurant/italian"],
  ],
  [
    ["Hotel Sonne", "tourism/hotel"],
    ["Sonne", "tourism/hotel"],
  ],
  [
    ["Walmart", "shop/supermarket"],
    ["Wal-Mart", "shop/department_store"],
  ],
  [
    ["St. Mary's Hospital", "amenity/hospital"],
    ["Saint Marys Hospital", "amenity/clinic"],
  ],
  [
    ["Murphy Auto Center", "shop/car_repair"],
    ["Murphy Auto Ctr LLC", "shop/car_repair"],
  ],
  [
    ["Starbucks", "amenity/cafe"],
    ["Starbucks #1234", "amenity/cafe"],
  ],
  [
    ["Harborview Dental", "amenity/dentist", "7"],
    ["Harborview Dental Care Group", "amenity/dentist", "7"],
  ],
  [
    ["Pizzeria Vesuvio", "amenity/restaurant/pizza"],
    ["Pizzeria Vesuvjo", "amenity/fast_food"],
  ],
  [
    ["Post Plaza", "tourism/hotel", "9"],
    ["Post Plaza", "amenity/restaurant", "9"],
  ],
  [
    ["1212 Fifth Avenue", "tourism/apartment"],
    ["1212 5th Ave", "tourism/apartment"],
  ],
  [
    ["dm-drogerie markt Kft.", "shop/chemist"],
    ["dm", "shop/chemist"],
  ],
  [
    ["dm-drogerie markt Kft.", "amenity/pharmacy"],
    ["dm", "shop/chemist"],
  ],
  [
    ["Karlsen Animal Hospital", "amenity/veterinary"],
    ["Karlsen Veterinary Hospital", "amenity/veterinary"],
  ],
  [
    ["Hotel Falun & Spa", "tourism/hotel"],
    ["Faluns", "tourism/hotel"],
  ],
  [
    ["Kita Ringstrasse", "amenity/kindergarten"],
    ["Kindertagesstätte Ringstrasse", "amenity/kindergarten"],
  ],
  [
    ["Banco Almera", "amenity/bank"],
    ["Banco Almera Sucursal Centro", "amenity/bank"],
  ],
  [
    ["Casa Ravell", "historic/manor"],
    ["Casa Ravell", "tourism/museum"],
  ],
  [
    ["Amberg Smith Auto", "shop/car_repair"],
    ["Amberg Smith Auto Service", "shop/car_repair"],
  ],
  [
    ["Nordic Outfitters", ""],
    ["Nordic Outfitters", "shop/outdoor"],
  ],
];

/** Two businesses, however near and alike they are. */
const different: [Given, Given][] = [
  [
    ["Bank of America", "amenity/bank", "1"],
    ["Bank of America ATM", "amenity/atm", "1"],
  ],
  [
    ["Walmart", "shop/department_store"],
    ["Walmart Photo Center", "shop/photo"],
  ],
  [
    ["Walmart", "shop/department_store", "", "w"],
    ["Walmart Pharmacy", "amenity/pharmacy", "", "w"],
  ],
  [
    ["Costco", "shop/wholesale"],
    ["Costco Gas Station", "amenity/fuel"],
  ],
  [
    ["Shell", "amenity/fuel"],
    ["Shell Car Wash", "amenity/car_wash"],
  ],
  [
    ["First Baptist Church", "amenity/place_of_worship"],
    ["First Presbyterian Church", "amenity/place_of_worship"],
  ],
  [
    ["Grace United Church", "amenity/place_of_worship", "1"],
    ["United Church", "amenity/place_of_worship", "2"],
  ],
  [
    ["Dollar General", "shop/variety_store"],
    ["Dollar Tree", "shop/variety_store"],
  ],
  [
    ["John Smith MD", "amenity/doctors", "1"],
    ["Mary Smith MD", "amenity/doctors", "1"],
  ],
  [
    ["Main Street Dental", "amenity/dentist"],
    ["Main Street Pizza", "amenity/restaurant"],
  ],
  [
    ["Kensington Tower Cafe", "amenity/cafe", "1", "w"],
    ["Kensington Tower Gym", "leisure/fitness_centre", "1", "w"],
  ],
  [
    ["City Library", "amenity/library"],
    ["City Hall", "amenity/townhall"],
  ],
  [
    ["Adler", "tourism/hotel"],
    ["Adler", "shop/optician"],
  ],
  [
    ["Restaurant Krone", "amenity/restaurant"],
    ["Restaurant Linde", "amenity/restaurant"],
  ],
  [
    ["Endocrinology", "amenity/doctors", "1", "w"],
    ["Cardiology", "amenity/doctors", "1", "w"],
  ],
  [
    ["Karlsen Clinic Endocrinology", "amenity/clinic", "1", "w"],
    ["Karlsen Clinic Cardiology", "amenity/clinic", "1", "w"],
  ],
  [
    ["Karlsen Clinic", "amenity/hospital", "1", "w"],
    ["Karlsen Clinic: Cardiology", "amenity/doctors", "1", "w"],
  ],
  [
    ["Petco", "shop/pet", "1", "w"],
    ["Petco Grooming", "shop/pet_grooming", "1", "w"],
  ],
  [
    ["Petco", "shop/pet", "1", "w"],
    ["Petco Grooming", "shop/pet", "1", "w"],
  ],
  [
    ["Petco", "shop/pet"],
    ["Petco Grooming", ""],
  ],
  [
    ["Priority Acura", "shop/car", "1", "w"],
    ["Priority Acura Service", "shop/car_repair", "1", "w"],
  ],
  [
    ["Priority Acura", "shop/car", "1", "w"],
    ["Priority Acura Service", "shop/car", "1", "w"],
  ],
  [
    ["Karlsen Central", "railway/station", "", "w"],
    ["Karlsen Central", "amenity/bus_station", "", "w"],
  ],
  [
    ["Karlsen Central Station", "railway/station"],
    ["Karlsen Central", "highway/bus_stop"],
  ],
  [
    ["Shell", "amenity/fuel", "1"],
    ["Shell", "amenity/fuel", "2"],
  ],
  [
    ["Karlsen High School", "amenity/school", "", "w"],
    ["Karlsen Middle School", "amenity/school", "", "w"],
  ],
  [
    ["Terminal 1", "aeroway/terminal", "", "w"],
    ["Terminal 2", "aeroway/terminal", "", "w"],
  ],
  [
    ["Hotel Kulmer", "tourism/hotel", "1"],
    ["Restaurant Kulmer", "amenity/restaurant", "1"],
  ],
  [
    ["Hilton", "tourism/hotel", "1", "w"],
    ["Hilton Spa", "shop/beauty", "1", "w"],
  ],
  [
    ["Hilton", "tourism/hotel"],
    ["Hilton Garden Inn", "tourism/hotel"],
  ],
];

for (const meters of [0, 40, 120]) {
  test(`name and kind decide together what is one business, ${meters} m apart`, () => {
    for (const [first, second] of same) assert.ok(isPaired(first, second, meters), `${first[0]} = ${second[0]}`);
    for (const [first, second] of different) assert.ok(!isPaired(first, second, meters), `${first[0]} | ${second[0]}`);
  });
}

function isPaired(first: Given, second: Given, meters: number): boolean {
  return pairUp([described(1, first, 0)], [described(2, second, meters)]).size === 1;
}

function described(number: number, [name, category, phone, web]: Given, meters: number): Described {
  return {
    number,
    sourceId: `${number}`,
    latitude: 47 + meters / 111_195,
    longitude: 9,
    nameWords: wordsOf(name),
    categories: category === "" ? [] : [category],
    contacts: [...(phone ? [`tel ${phone}`] : []), ...(web ? [`web ${web}`] : [])],
  };
}
