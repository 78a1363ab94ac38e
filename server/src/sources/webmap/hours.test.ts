import assert from "node:assert/strict";
import { test } from "node:test";
import { readHours } from "./hours.ts";

const openState = 1;
const closedState = 2;
type Part = readonly [label: string, times?: readonly [number[], number[]]];

/** A week whose days all tell the same. */
function week(parts: readonly Part[], state: number | null): unknown[] {
  return Array.from({ length: 7 }, (_, day) => [`Day ${day + 1}`, day + 1, [2026, 9, 21 + day], parts, 0, state]);
}

function olderWeek(labels: readonly string[], slots: readonly number[][] | null, state: number | null): unknown[] {
  return Array.from({ length: 7 }, (_, day) => {
    return [`Day ${day + 1}`, labels, null, null, `2026-09-${21 + day}`, state, slots, 0];
  });
}

function hoursOf({ current, older }: { current?: unknown; older?: unknown }) {
  const record: unknown[] = Array.from({ length: 204 }, () => null);
  record[203] = [current ?? null];
  record[34] = [null, older ?? null];
  return readHours(record);
}

function mondayOf(weeks: Parameters<typeof hoursOf>[0]) {
  const hours = hoursOf(weeks);
  return typeof hours === "string" ? hours : hours.weekly?.monday;
}

test("a day that is open and lacks its times is not read as closed", () => {
  for (const label of ["Open 24 hours", "7 AM–8:30 PM"]) {
    assert.equal(mondayOf({ current: week([[label]], openState) }), "unreadable");
    assert.equal(mondayOf({ older: olderWeek([label], null, openState) }), "unreadable");
  }
  for (const state of [closedState, null]) {
    assert.deepEqual(mondayOf({ current: week([["Geschlossen"]], state) }), []);
    assert.deepEqual(mondayOf({ older: olderWeek(["Geschlossen"], null, state) }), []);
  }
});

test("a day that says neither its times nor that it is closed is not read as closed", () => {
  for (const label of ["8–18 Uhr", "24 時間営業", "٩ ص–٥ م"]) {
    assert.equal(mondayOf({ current: week([[label]], null) }), "unreadable", label);
    assert.equal(mondayOf({ older: olderWeek([label], null, null) }), "unreadable", label);
  }
  assert.deepEqual(mondayOf({ current: week([["Closed since 9/21"]], closedState) }), []);
});

test("a slot of more than a day is not read as the end of it", () => {
  assert.equal(mondayOf({ current: week([["8 AM–10 AM next day", [[8], [34]]]], openState) }), "unreadable");
  assert.deepEqual(mondayOf({ current: week([["8 AM–8 AM", [[8], [32]]]], openState) }), [
    { opens: "08:00", closes: "08:00" },
  ]);
});

test("a split shift that lacks the times of one part is not read as the other part alone", () => {
  const morning: Part = ["7 AM–1 PM", [[7], [13]]];

  assert.equal(mondayOf({ current: week([morning, ["5–9 PM"]], openState) }), "unreadable");
  assert.equal(mondayOf({ older: olderWeek(["7 AM–1 PM", "5–9 PM"], [[7, 0, 13, 0]], openState) }), "unreadable");
  assert.deepEqual(mondayOf({ current: week([morning, ["5–9 PM", [[17], [21]]]], openState) }), [
    { opens: "07:00", closes: "13:00" },
    { opens: "17:00", closes: "21:00" },
  ]);
});

test("a week that cannot be read where it is now is read where it was before", () => {
  const older = olderWeek(["9 AM–5 PM"], [[9, 0, 17, 0]], openState);
  const nine = [{ opens: "09:00", closes: "17:00" }];

  assert.deepEqual(mondayOf({ current: [["moved"]], older }), nine);
  assert.deepEqual(mondayOf({ current: week([["9 AM–5 PM"]], openState), older }), nine);
  assert.deepEqual(mondayOf({ current: week([["9 AM–5 PM", [[9], [17]]]], openState).slice(0, 1), older }), nine);
  assert.equal(mondayOf({ current: [["moved"]] }), "unreadable");
  assert.equal(mondayOf({}), "missing");
});
