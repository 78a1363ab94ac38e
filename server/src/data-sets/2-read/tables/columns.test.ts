import assert from "node:assert/strict";
import { test } from "node:test";
import { guessColumns } from "./columns.ts";
import { readCsv } from "./csv.ts";
import { degreesOf, readPoint } from "./degrees.ts";
import { tableFields } from "../../../languages/index.ts";
import { headingsOf } from "./headings.ts";
import { read } from "../read.ts";

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
