import assert from "node:assert/strict";
import { test } from "node:test";
import { contact, startBusinesses } from "../../../test/businesses.ts";
import { aPlace } from "../../../test/place.ts";
import { newUuid } from "../../platform/ids.ts";
import type { Place } from "../../places/place.ts";

const sunday = { monday: [], tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [], sunday: [] };

test("the revision rises by one when content changes, and only then", async (t) => {
  const { seeOne } = await startBusinesses(t);
  const place = aPlace({ phone: "+423 1" });

  assert.equal((await seeOne(place)).revision, 1);
  assert.equal((await seeOne({ ...place, observedAt: "2030-01-01T00:00:00.000Z" })).revision, 1);
  assert.equal((await seeOne({ ...place, contactsCheckedAt: "2030-01-01T00:00:00.000Z" })).revision, 1);
  assert.equal((await seeOne({ ...place, phone: "+423 2" })).revision, 2);
  assert.equal((await seeOne({ ...place, phone: "+423 2", name: "New owner" })).revision, 3);
  assert.equal((await seeOne({ ...place, phone: "+423 2", name: "New owner" })).revision, 3);
});

test("another language changes nothing; a change in a language seen before does", async (t) => {
  const { seeOne } = await startBusinesses(t);
  const openingHours = { weekly: sunday, raw: "closed" };
  const english = aPlace({ name: "Castle", language: "en", category: "Castle", openingHours });
  const german = {
    ...english,
    name: "Burg",
    language: "de",
    category: "Burg",
    openingHours: { ...openingHours, raw: "zu" },
  };

  assert.equal((await seeOne(english)).revision, 1);
  assert.equal((await seeOne(german)).revision, 1);
  assert.equal((await seeOne(english)).revision, 1);
  assert.equal((await seeOne({ ...german, name: "Schloss" })).revision, 2);
  assert.equal((await seeOne({ ...english, phone: "+423 3" })).revision, 3);
});

test("a field the source withheld keeps its known value, and a field it says is absent loses it", async (t) => {
  const { seeOne } = await startBusinesses(t);
  const place = aPlace({ phone: "+423 1", owner: { id: "1", name: "Ada", profileUrl: null }, description: "Old" });
  await seeOne(place);

  const states = { phone: "not_supplied", description: "parse_failed", "owner.id": "not_supplied", rating: "absent" };
  const owner = { id: null, name: "Ada", profileUrl: null };
  const withheld = await seeOne({ ...place, phone: null, description: null, owner, fieldStates: states });

  assert.equal(withheld.revision, 1);
  assert.equal(withheld.place.phone, "+423 1");
  assert.equal(withheld.place.description, "Old");
  assert.equal(withheld.place.owner?.id, "1");
  assert.deepEqual(withheld.place.fieldStates, { rating: "absent" });

  const absent = await seeOne({ ...place, phone: null, fieldStates: { phone: "absent" } });
  assert.equal(absent.revision, 2);
  assert.equal(absent.place.phone, null);
});

test("hours that can no longer be read keep their table while their text is the same, and lose it when it is not", async (t) => {
  const { seeOne } = await startBusinesses(t);
  const place = aPlace({ openingHours: { weekly: sunday, raw: "Su off" } });
  await seeOne(place);
  const unread = (raw: string): Place => ({
    ...place,
    openingHours: { weekly: null, raw },
    fieldStates: { "openingHours.weekly": "parse_failed" },
  });

  assert.deepEqual((await seeOne(unread("Su off"))).place.openingHours, { weekly: sunday, raw: "Su off" });
  const changed = await seeOne(unread("Su 10:00 until sunset"));
  assert.deepEqual(changed.place.openingHours, { weekly: null, raw: "Su 10:00 until sunset" });
  assert.equal(changed.revision, 2);
});

test("a field that was withheld from the beginning is still told as withheld", async (t) => {
  const { seeOne } = await startBusinesses(t);
  const place = aPlace({ phone: null, fieldStates: { phone: "not_supplied" } });

  await seeOne(place);

  assert.deepEqual((await seeOne(place)).place, place);
});

test("contacts found once are neither lost nor told when a later search did not ask for them", async (t) => {
  const { seeOne } = await startBusinesses(t);
  const plain = aPlace({ website: "https://b.example/" });
  const enriched: Place = { ...plain, enrichmentState: "done", emails: ["a@b.example"], contacts: [contact] };

  assert.equal((await seeOne(plain)).revision, 1);
  assert.equal((await seeOne(enriched)).revision, 2);
  const less = await seeOne(plain);
  assert.equal(less.revision, 2);
  assert.deepEqual(less.place.emails, []);

  const later = { ...contact, seenAt: "2027-01-01T00:00:00.000Z" };
  assert.equal((await seeOne({ ...enriched, contacts: [later] })).revision, 2);
});

test("a website that cannot be read today keeps the contacts it gave before", async (t) => {
  const { seeOne } = await startBusinesses(t);
  const enriched = aPlace({ enrichmentState: "done", emails: ["a@b.example"], contacts: [contact] });
  await seeOne(enriched);

  const failed = await seeOne({ ...enriched, enrichmentState: "timed_out", emails: [], contacts: [] });

  assert.equal(failed.revision, 1);
  assert.deepEqual(failed.place.emails, ["a@b.example"]);
  assert.deepEqual(failed.place.contacts, [contact]);
  assert.equal(failed.place.enrichmentState, "timed_out");
});

test("changes that come at once raise the revision once each", async (t) => {
  const { see, seeOne } = await startBusinesses(t);
  const place = aPlace({ phone: "0", dataId: newUuid() });
  await seeOne(place);

  const seen = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      see({ ...place, phone: `+423 ${at + 1}`, ...(at % 2 === 0 ? { placeId: null } : { dataId: null }) }),
    ),
  );

  const revisions = seen.flat().map(({ revision }) => revision);
  assert.deepEqual(
    revisions.sort((left, right) => left - right),
    Array.from({ length: 12 }, (_, at) => at + 2),
  );
});
