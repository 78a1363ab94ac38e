import assert from "node:assert/strict";
import { test } from "node:test";
import { readCsv } from "./csv.ts";
import { read } from "../read.ts";
import { newProgress } from "../reader.ts";

test("a table whose rows end in different ways keeps every row", async (t) => {
  const tables = [
    "name,lat,lon,category\r\nA,47.1,9.5,cafe\r\nB,47.2,9.5,bank\nC,47.3,9.5,bakery\n",
    "name,lat,lon,category\nA,47.1,9.5,cafe\nB,47.2,9.5,bank\r\nC,47.3,9.5,bakery\r\n",
    "name,lat,lon,category\rA,47.1,9.5,cafe\rB,47.2,9.5,bank\rC,47.3,9.5,bakery",
  ];
  for (const table of tables) {
    const { places } = await read(t, readCsv, table);

    assert.deepEqual(
      places.map(({ name, categories }) => [name, categories[0]]),
      [
        ["A", "amenity/cafe"],
        ["B", "amenity/bank"],
        ["C", "shop/bakery"],
      ],
    );
  }
});

test("a lone CR within a row does not end it", async (t) => {
  const { places } = await read(t, readCsv, "name,lat,lon,city\nA,47.1,9.5,Va\rduz\nB,47.2,9.5,Schaan\n");

  assert.deepEqual(
    places.map(({ name }) => name),
    ["A", "B"],
  );
});

test("rows of separators alone, as spreadsheets write them, are no rows that cannot be used", async (t) => {
  const progress = newProgress();

  const { places } = await read(t, readCsv, "\n\nname;lat;lon\nA;47,1;9,5\n;;\n ; ;\n;47,1;9,5\n;;\n", { progress });

  assert.equal(places.length, 1);
  assert.deepEqual(progress.skipped, { count: 1, samples: [{ at: "line 7", reason: "no name" }] });
});

test("a first line that says the separator, as for Excel, is followed and is no heading", async (t) => {
  const progress = newProgress();
  const tables = [
    "sep=;\r\nname, short;name;lat;lon\r\nA, b;A;47,1;9,5\r\n;;47,1;9,5\r\n",
    "\uFEFFSEP=,\nname,lat,lon\nA,47.1,9.5\n",
    "sep=\t\nname\tlat\tlon\nA\t47.1\t9.5\n",
    '"sep=;"\r\nname;lat;lon\r\nA;47.1;9.5\r\n',
    "sep=|\rname|lat|lon\rA|47.1|9.5\r",
  ];
  for (const table of tables) {
    const { places } = await read(t, readCsv, table, { progress });

    assert.deepEqual(
      places.map(({ name }) => name),
      ["A"],
    );
  }
  assert.deepEqual(progress.skipped, { count: 1, samples: [{ at: "line 4", reason: "no name" }] });
});

test("the error for a quotation mark that is not closed names the row that opens it", async (t) => {
  const rows = Array.from({ length: 40 }, (_, index) => `N${index},47.1,9.5,z\n`);

  const reading = read(t, readCsv, `name,lat,lon,description\nA,47.1,9.5,"x"\nB,47.1,9.5,"open\n${rows.join("")}`);

  await assert.rejects(reading, { name: "ImportProblem", message: /open in row 3, the headings counted/ });
});

test("headings are understood in the languages that tables come in", async (t) => {
  const headings = [
    "Firma;Anschrift;Postleitzahl;Gemeinde;Telefonnummer;Homepage;E-Mail;Öffnungszeiten;Breitengrad;Längengrad",
    "Nom;Adresse;Code postal;Commune;Téléphone;Site web;Courriel;Horaires d'ouverture;Latitude;Longitude",
    "Nombre;Dirección;Código postal;Ciudad;Teléfono;Página web;Correo electrónico;Horario;Latitud;Longitud",
    "Nome;Indirizzo;CAP;Comune;Telefono;Sito web;Email;Orari;Latitudine;Longitudine",
    "Nome;Endereço;CEP;Cidade;Telefone;Site;E-mail;Horário;Latitude;Longitude",
    "Naam;Adres;Postcode;Plaats;Telefoonnummer;Website;E-mail;Openingstijden;Breedtegraad;Lengtegraad",
  ];
  const row = "Adler;Städtle 5;9490;Vaduz;+423 239 20 20;adler.example.org;a@example.org;24/7;+47,14;+9,52";
  for (const line of headings) {
    const { places } = await read(t, readCsv, `${line}\n${row}\n`);

    const [place] = places;
    const { street, postalCode, city } = place?.address ?? {};
    const { phones, website, emails, openingHours } = place?.details ?? {};
    assert.deepEqual([street, postalCode, city], ["Städtle 5", "9490", "Vaduz"], line);
    assert.deepEqual(
      [phones, website, emails, openingHours?.raw],
      [["+4232392020"], "https://adler.example.org/", ["a@example.org"], "24/7"],
      line,
    );
  }
});

test("what stands in quotation marks does not decide the separator", async (t) => {
  const { places } = await read(t, readCsv, '"a,b,c,d,e";name;lat;lon\nx;Adler;47,1;9,5\n');

  assert.deepEqual([places[0]?.name, places[0]?.latitude], ["Adler", 47.1]);
});

test("the error for a quotation mark that is not doubled says so", async (t) => {
  const reading = read(t, readCsv, 'name,lat,lon\nA,47.1,9.5\n"Best" Pizza,47.1,9.5\n');

  await assert.rejects(reading, { message: /at line 3: a value goes on after its closing quotation mark; .* twice/ });
});
