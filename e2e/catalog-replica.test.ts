import assert from "node:assert/strict";
import { test } from "node:test";
import { newKeyText } from "../server/src/domains/api-keys/index.ts";
import { systemClock } from "../server/src/platform/clock.ts";
import { importItems } from "../server/src/data-sets/import.ts";
import { place, yielded } from "../server/src/sources/catalog/testing.ts";
import { newDataFolder, startService, until } from "./service.ts";
import { startStreamingPair } from "./streaming-pair.ts";
import { call } from "./webhook-stage.ts";

const key = newKeyText("live").text;

test("the place index follows the primary while a replica lags, is lost or promoted, and no page mixes two versions", async (t) => {
  const pair = await startStreamingPair(t, { isAsynchronous: true });
  const environment = {
    DATABASE_URL: pair.primaryUrl,
    WAYPOST_DATA_DIR: await newDataFolder(t),
    WAYPOST_ROLE: "api",
    WAYPOST_KEY_PEPPER: "a pepper for two processes on two servers",
    WAYPOST_MASTER_KEY: "a master key for two processes on two servers",
    WAYPOST_SEED_LIVE_KEY: key,
    WAYPOST_RATE_LIMIT: "1000000",
  };
  const onPrimary = await startService(t, environment);
  await load(pair.primaryUrl, "one");
  const onReplica = await startService(t, { ...environment, DATABASE_READ_URL: pair.replicaUrl });
  await until(async () => (await search(onPrimary)) === "one");
  await until(async () => (await search(onReplica)) === "one");

  await pair.pauseReplay();
  await load(pair.primaryUrl, "two");
  await until(async () => (await search(onPrimary)) === "two");
  await until(async () => (await search(onReplica)) === "two");
  await pair.resumeReplay();

  const importing = load(pair.primaryUrl, "three");
  await until(async () => (await search(onReplica)) === "three");
  await importing;

  await pair.killReplica();
  assert.equal(await search(onReplica), "three", "the primary answers while the replica is lost");
  await load(pair.primaryUrl, "four");
  await until(async () => (await search(onReplica)) === "four");

  await pair.reviveReplica();
  await pair.pauseReplay();
  await load(pair.primaryUrl, "five");
  await until(async () => (await search(onReplica)) === "five");
  await pair.resumeReplay();

  await pair.promoteReplica();
  await load(pair.primaryUrl, "six");
  await until(async () => (await search(onReplica)) === "six");
});

/** Every place is named after the version, so that a page of two versions shows. */
async function load(url: string, version: string): Promise<void> {
  const items = Array.from({ length: 12 }, (_, index) =>
    place({
      sourceId: `osm:n${index}`,
      name: `Cafe ${index} ${version}`,
      categories: ["amenity/cafe"],
      latitude: 47.14 + index / 500,
    }),
  );
  await importItems({ name: "cafes", origin: "cafes" }, yielded(items), {
    connection: { url },
    clock: systemClock,
    signal: new AbortController().signal,
  });
}

/** The version that a page is of; every listing has to be of the same. */
async function search({ address }: { address: string }): Promise<string> {
  const ask = () => call(address, key, "POST", "/search", { q: "cafe", ll: "@47.15,9.52,13z" });
  let answer = await ask();
  // A process that is short of processor time misses the deadline of a search, and one that has just
  // started looks every other second whether the catalog has places.
  await until(async () => answer.status < 500 || (answer = await ask()).status < 500);
  const { status, body } = answer;
  assert.equal(status, 200, JSON.stringify(body));
  const names = (body["data"].businesses as { place: { name: string } }[]).map((each) => each.place.name);
  const versions = new Set(names.map((name) => name.split(" ").at(-1)));
  assert.equal(names.length, 12);
  assert.equal(versions.size, 1, names.join(", "));
  return [...versions][0] ?? "";
}
