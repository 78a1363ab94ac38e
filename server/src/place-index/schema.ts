/**
 * Rises with whatever changes the tables or what a place is found by. A file of another layout is built again.
 */
export const layout = 5;

/**
 * The tables of the file. A list is what one term leads to: twice the number of the term, and one more for places that
 * meet it less well (a word elsewhere than in the name, a kind that is not the first). `place` is a number in which
 * neighbors are neighbors, so a window is a few ranges of it in every list.
 */
export const tables = `
  create table meta (name text primary key, value text not null) without rowid;
  create table facts (
    place integer primary key,
    latitude integer not null,
    longitude integer not null,
    rank integer not null,
    country text not null,
    name_words integer not null,
    -- Null where nobody knows its hours.
    week integer,
    -- By its number in statuses.
    status integer not null,
    -- How sure its publisher is that it exists, in percent.
    confidence integer not null
  );
  -- Hours of opening: a bit for each hour from Monday's first on.
  create table weeks (week integer primary key, hours blob not null unique);
  -- The lists that a place is in, four bytes each, with the areas that it lies in: what else a candidate meets is read
  -- here. And its keys, eight bytes each.
  create table place_lists (place integer primary key, lists blob not null, keys blob not null);
  create table records (
    place integer primary key,
    business_id text not null,
    revision integer not null,
    records text not null
  );
  create table terms (
    term integer primary key,
    type integer not null,
    text text not null,
    firsts integer not null default 0,
    others integer not null default 0
  );
  create unique index terms_by_text on terms (text, type);
  create table term_edits (edit integer, term integer, primary key (edit, term)) without rowid;
  create table postings (list integer, place integer, primary key (list, place)) without rowid;
  -- What few places share: whole names, addresses, telephone numbers, sites; the key is a hash of the text and the type.
  create table exact (key integer, place integer, primary key (key, place)) without rowid;
  create table by_quality (list integer, lack integer, place integer, primary key (list, lack, place)) without rowid;
  create table density (list integer, tile integer, places integer not null, primary key (list, tile)) without rowid;
  -- What has a place on the map of its own: towns, boundaries, landmarks. Without a description only places know it.
  create table objects (
    object integer primary key,
    id text not null unique,
    places integer not null default 0,
    description text
  );
  create table names (phrase text, object integer, form integer not null, primary key (phrase, object)) without rowid;
  create table name_edits (edit integer, object integer, primary key (edit, object)) without rowid;
`;

/** What a build writes as it reads and sorts at its end. */
export const buildTables = `
  create table building (list integer not null, place integer not null);
  create table building_keys (key integer not null, place integer not null);
`;

/** What businesses are, by their number in the file. */
export const statuses = ["open", "closed", "closed for now"] as const;

/** A tile of the density table is 16 by 16 cells: some 20 by 10 km. */
export const tileShift = 8;
/** Places of one cell, by their number. */
export const placesPerCell = 2 ** 20;

/** The types of terms that have lists, by their number in the file. */
export const listTypes = ["word", "begin", "kind", "street", "postcode", "brand"] as const;
/** The types of terms that few places share. */
export const keyTypes = ["name", "address", "phone", "site"] as const;
export type ListType = (typeof listTypes)[number];
export type KeyType = (typeof keyTypes)[number];

/** Numbers from here on are no lists but the objects that a place lies in. */
export const firstObject = 2 ** 31;

/** The list of all places but those that only their kind finds: `by_quality` alone has it, `facts` are it by place. */
export const allPlaces = 0;
