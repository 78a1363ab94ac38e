import assert from "node:assert/strict";
import { test } from "node:test";
import { guessColumns } from "./columns.ts";
import { readCsv } from "./csv.ts";
import { degreesOf, readPoint } from "./degrees.ts";
import { tableFields } from "../../../languages/index.ts";
import { headingsOf } from "./headings.ts";
import { read } from "../read.ts";
import { newProgress } from "../reader.ts";

test("tables of many countries and programs are read by their headings", async (t) => {
  const lines = [
    "Nazwa;Szerokość geograficzna;Długość geograficzna;Ulica;Miasto;Kod pocztowy;Telefon",
    "Název;Zeměpisná šířka;Zeměpisná délka;Adresa;Obec;PSČ;Telefon",
    "Név;Szélesség;Hosszúság;Cím;Város;Irányítószám;Telefonszám",
    "Namn;Latitud;Longitud;Gatuadress;Postort;Postnummer;Telefon",
    "Navn;Breddegrad;Længdegrad;Adresse;By;Postnummer;Tlf.",
    "Nimi;Leveysaste;Pituusaste;Katuosoite;Kaupunki;Postinumero;Puhelin",
    "Ad;Enlem;Boylam;Adres;Şehir;Posta Kodu;Telefon",
    "Όνομα;Γεωγραφικό πλάτος;Γεωγραφικό μήκος;Διεύθυνση;Πόλη;Τ.Κ.;Τηλέφωνο",
    "Название;Широта;Долгота;Адрес;Город;Почтовый индекс;Телефон",
    "Назва;Широта;Довгота;Адреса;Місто;Поштовий індекс;Телефон",
    "الاسم;خط العرض;خط الطول;العنوان;المدينة;الرمز البريدي;رقم الهاتف",
    "名称;緯度;経度;住所;市区町村;郵便番号;電話番号",
    "名称;纬度;经度;地址;城市;邮编;电话",
    "상호명;위도;경도;도로명주소;도시;우편번호;전화번호",
    "title;location/lat;location/lng;street;city;postalCode;phoneNumber",
    "Name;Latitude (WGS84);Longitude (WGS84);streetAddress;City;postal_code;Phone 1",
  ];
  for (const line of lines) {
    const { places } = await read(t, readCsv, `${line}\nAdler;47,14;9,52;Städtle 5;Vaduz;9490;+423 239 20 20\n`);

    const [{ name, latitude, longitude, address, details } = assert.fail(line)] = places;
    const { street, city, postalCode } = address;
    assert.deepEqual(
      [name, latitude, longitude, street, city, postalCode, details.phones],
      ["Adler", 47.14, 9.52, "Städtle 5", "Vaduz", "9490", ["+4232392020"]],
      line,
    );
  }
});

test("a heading stands for one field alone", () => {
  for (const field of tableFields)
    for (const name of headingsOf(field)) assert.deepEqual(Object.keys(guessColumns([name])), [field], name);
});

test("every field with a name of ours is found by it", () => {
  const fields = tableFields.filter((field) => field !== "point");

  assert.deepEqual(Object.keys(guessColumns(fields)).toSorted(), fields.toSorted());
});

test("columns stand in for each other row by row, and all contacts count", async (t) => {
  const table = [
    "@type,name,name,lat,lon,amenity,shop,phone,mobile,email",
    'node,Adler,x,47.1,9.5,cafe,,,+423 239 20 20,"a@example.org, b@example.org"',
    "way,,Ochsen,47.1,9.5,,bakery,+423 239 20 21,+423 239 20 22,",
  ].join("\n");

  const { places } = await read(t, readCsv, table);

  assert.deepEqual(
    places.map(({ name, categories, categoryLabels, details }) => [name, categories[0], categoryLabels, details]),
    [
      ["Adler", "amenity/cafe", [], { phones: ["+4232392020"], emails: ["a@example.org", "b@example.org"] }],
      ["Ochsen", "shop/bakery", [], { phones: ["+4232392021", "+4232392022"] }],
    ],
  );
});

test("coordinates are degrees however a table writes them, and nothing else", () => {
  const latitudes: [text: string, degrees: number][] = [
    ["47.14", 47.14],
    ["+47,14", 47.14],
    ["\u221247.14", -47.14],
    ["47.14°", 47.14],
    ["47.14 N", 47.14],
    ["S47.14", -47.14],
    ["47°8'24\"N", 47.14],
    ["47° 8′ 24″ S", -47.14],
    ["47° 8.4' N", 47.14],
    ["4.714e1", 47.14],
    ["-0.5", -0.5],
  ];
  for (const [text, degrees] of latitudes) assert.ok(Math.abs(degreesOf(text, "latitude") - degrees) < 1e-9, text);
  for (const text of ["", "here", "0x10", "47.14 E", "-47.14 S", "47°61'", "47 N 8", "1_000", "47.14.15", "∞"])
    assert.ok(Number.isNaN(degreesOf(text, "latitude")), text);
});

test("one cell may hold both coordinates", () => {
  for (const text of [
    "47.14,9.52",
    "47.14 9.52",
    "47,14; 9,52",
    "(47.14, 9.52)",
    "47.14° N, 9.52° E",
    "POINT (9.52 47.14)",
    "point z(9.52 47.14 450)",
    "SRID=4326;POINT(9.52 47.14)",
  ])
    assert.deepEqual(readPoint(text), [47.14, 9.52], text);
  for (const text of [
    "",
    "Vaduz, Liechtenstein",
    "POINT EMPTY",
    "SRID=2056;POINT(9 47)",
    "POINT(2759000 1220000)",
    "47.14",
  ])
    assert.equal(readPoint(text), undefined, text);
});

test("a table with both coordinates in one column is read by it", async (t) => {
  const tables = ["WKT,name\nPOINT (9.52 47.14),Adler\n", 'name,location\nAdler,"47.14,9.52"\n'];
  for (const table of tables) {
    const { places } = await read(t, readCsv, table);
    assert.deepEqual([places[0]?.latitude, places[0]?.longitude], [47.14, 9.52], table);
  }
  const { places } = await read(t, readCsv, "name,where\nAdler,47.14 9.52\n", { mapping: { point: "where" } });
  assert.equal(places[0]?.latitude, 47.14);
});

test("what programs write for nothing is nothing, and whole numbers have no decimals", async (t) => {
  const table = [
    "name,lat,lon,city,zip,phone,street,house number",
    "Adler,47.14,9.52,NULL,9490.0,2392020.0,Weg,5.0",
    "None,47.14,9.52,\\N,N/A,-,nan,",
    "NULL,47.14,9.52,Vaduz,9490,,,",
  ].join("\n");

  const { places } = await read(t, readCsv, table);

  assert.deepEqual(
    places.map(({ name, address, details }) => [name, address.city, address.postalCode, address.street, details]),
    [
      ["Adler", null, "9490", "Weg 5", { phones: ["+4232392020"] }],
      ["None", null, null, null, {}],
    ],
  );
});

test("a table may say that a business is closed for good", async (t) => {
  const table = [
    "name,lat,lon,status,permanentlyClosed",
    "A,47.1,9.5,CLOSED_PERMANENTLY,",
    "B,47.1,9.5,Temporarily closed,false",
    "C,47.1,9.5,,TRUE",
    "D,47.1,9.5,closed,",
  ].join("\n");

  const { places } = await read(t, readCsv, table);

  assert.deepEqual(
    places.map(({ details }) => details.businessStatus),
    ["CLOSED_PERMANENTLY", "CLOSED_TEMPORARILY", "CLOSED_PERMANENTLY", undefined],
  );
});

test("text of many lines in a cell becomes one line", async (t) => {
  const { places } = await read(t, readCsv, 'name,lat,lon,street\n"Zum\n Adler",47.1,9.5,"Weg 5\r\nHinterhaus"\n');

  assert.deepEqual([places[0]?.name, places[0]?.address.street], ["Zum Adler", "Weg 5 Hinterhaus"]);
});

test("a row of separators nearly as large as a row may be is passed at once", async (t) => {
  const run = ",; |".repeat(60_000);
  const row = ["Adler", "47.1", "9.5", run, run, run, run].map((cell) => `"${cell}"`).join("\t");

  const { places } = await read(t, readCsv, `name\tlat\tlon\twebsite\temail\tphone\tpoint\n${row}\n`);

  assert.equal(places[0]?.details.website, undefined);
});

test("the error for a row that is too large says so", async (t) => {
  const reading = read(t, readCsv, `name,lat,lon,description\nAdler,47.1,9.5,"${"x".repeat(2_000_000)}"\n`);

  await assert.rejects(reading, { message: "The table cannot be read at line 2: its row is larger than 1 MB." });
});

const exported = {
  gosom: [
    "input_id,link,title,category,address,open_hours,popular_times,website,phone,plus_code,review_count,review_rating,reviews_per_rating,latitude,longitude,cid,status,descriptions,reviews_link,thumbnail,timezone,price_range,data_id,images,reservations,order_online,menu,owner,complete_address,about,user_reviews,emails",
    'q1,https://www.google.com/maps/place/x,Adler,Coffee shop,"Städtle 5, 9490 Vaduz, Liechtenstein","{""Monday"":[""8 am–12 pm"",""1:30–6 pm""],""Tuesday"":[""Open 24 hours""],""Sunday"":[""Closed""]}",{},https://adler.example/,+423 239 20 20,,87,4.600000,{},47.14,9.52,123456,Open,Coffee and cake,,https://img.example/a.jpg,Europe/Vaduz,€€,0x1:0x2,[],[],[],{},{},"{""borough"":"""",""street"":""Städtle 5"",""city"":""Vaduz"",""postal_code"":""9490"",""state"":"""",""country"":""LI""}",[],[],"a@adler.example, b@adler.example"',
  ],
  Outscraper: [
    "query,name,place_id,google_id,full_address,street,city,postal_code,state,us_state,country,country_code,latitude,longitude,time_zone,plus_code,site,phone,type,category,subtypes,rating,reviews,reviews_link,photos_count,photo,street_view,working_hours,working_hours_old_format,business_status,about,range,logo,description,verified,owner_id,location_link,email_1",
    'coffee,Adler,ChIJ1,0x1:0x2,"Städtle 5, 9490 Vaduz",Städtle 5,Vaduz,9490,,,Liechtenstein,LI,47.14,9.52,Europe/Vaduz,,https://adler.example/,+423 239 20 20,Coffee shop,Coffee shop,"Coffee shop, Bakery",4.6,87,https://search.google.com/local/reviews?placeid=ChIJ1,12,https://img.example/a.jpg,https://img.example/street.jpg,"{""Monday"": ""8AM-12PM,1:30-6PM"", ""Tuesday"": ""Open 24 hours"", ""Sunday"": ""Closed""}",Monday:8AM-12PM,OPERATIONAL,{},€€,,Coffee and cake,True,1,https://www.google.com/maps/place/x,a@adler.example',
  ],
  Apify: [
    "title,subTitle,price,categoryName,address,neighborhood,street,city,postalCode,state,countryCode,phone,phoneUnformatted,website,location/lat,location/lng,totalScore,permanentlyClosed,temporarilyClosed,placeId,fid,cid,reviewsCount,imagesCount,imageUrl,url,description,categories/0,openingHours/0/day,openingHours/0/hours",
    'Adler,,€€,Coffee shop,"Städtle 5, 9490 Vaduz",,Städtle 5,Vaduz,9490,,LI,+423 239 20 20,+4232392020,https://adler.example/,47.14,9.52,4.6,false,false,ChIJ1,0x1:0x2,123456,87,12,https://img.example/a.jpg,https://www.google.com/maps/search/?api=1,Coffee and cake,Coffee shop,Monday,8 AM to 12 PM',
  ],
} as const;

for (const [program, lines] of Object.entries(exported)) {
  test(`what ${program} exports is read without a mapping`, async (t) => {
    const { places } = await read(t, readCsv, lines.join("\n"));

    const [{ name, categories, address, details } = assert.fail()] = places;
    assert.deepEqual([name, categories[0], details.phones], ["Adler", "amenity/cafe", ["+4232392020"]]);
    assert.deepEqual([address.street, address.city, address.postalCode], ["Städtle 5", "Vaduz", "9490"]);
    assert.equal(address.countryCode, "LI");
    assert.equal(details.website, "https://adler.example/");
    assert.deepEqual([details.rating, details.reviewCount, details.priceRange], [4.6, 87, "€€"]);
    assert.equal(details.featuredImageUrl, "https://img.example/a.jpg");
    assert.deepEqual(details.descriptionsByLanguage, { "": "Coffee and cake" });
    if (program === "Apify") return; // a column for each day
    const { monday, tuesday, sunday } = details.openingHours?.weekly ?? assert.fail();
    assert.deepEqual(monday, [
      { opens: "08:00", closes: "12:00" },
      { opens: "13:30", closes: "18:00" },
    ]);
    assert.deepEqual(tuesday, [{ opens: "00:00", closes: "24:00" }]);
    assert.deepEqual(sunday, []);
  });
}

test("a link to a map is no website", async (t) => {
  const { places } = await read(t, readCsv, "name,lat,lon,url\nAdler,47.1,9.5,https://www.google.com/maps/place/x\n");

  assert.equal(places[0]?.details.website, undefined);
});

test("a table's own ratings count where they are stars from 0 to 5, and its images where they are addresses", async (t) => {
  const rows = ["4.6,87,€€,https://x.example/a.jpg", '"4,5","1,204",$10-20,none', "9,-3,,", ",,,"];
  const table = ["name,lat,lon,rating,review_count,price_range,image", ...rows.map((row) => `Adler,47.1,9.5,${row}`)];

  const { places } = await read(t, readCsv, table.join("\n"));

  assert.deepEqual(
    places.map(({ details }) => [details.rating, details.reviewCount, details.priceRange, details.featuredImageUrl]),
    [
      [4.6, 87, "€€", "https://x.example/a.jpg"],
      [4.5, 1_204, "$10-20", undefined],
      [null, null, null, undefined],
      [null, null, null, undefined],
    ],
  );
  const without = await read(t, readCsv, "name,lat,lon\nAdler,47.1,9.5\n");
  assert.ok(!("rating" in (without.places[0]?.details ?? {})), "a table without the column says nothing of ratings");
});

test("columns that nothing used are named, those of a mapping are not", async (t) => {
  const progress = newProgress();

  await read(t, readCsv, "name,lat,lon,Parking,Chef,Notes\nAdler,47.1,9.5,yes,Eva,x\n", {
    progress,
    mapping: { description: "Notes" },
  });

  assert.deepEqual(progress.unusedColumns, ["Parking", "Chef"]);
});
