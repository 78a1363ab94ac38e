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

test("a day that is open round the clock or by appointment is not read as closed, in words without digits either", () => {
  for (const label of [
    "Круглосуточно",
    "Цілодобово",
    "Czynne całą dobę",
    "Öppet dygnet runt",
    "مفتوح على مدار الساعة",
  ]) {
    assert.equal(mondayOf({ current: week([[label]], null) }), "unreadable", label);
    assert.equal(mondayOf({ older: olderWeek([label], null, null) }), "unreadable", label);
  }
  for (const state of [0, 3]) {
    assert.equal(mondayOf({ current: week([["By appointment only"]], state) }), "unreadable", `${state}`);
  }
  const always: Part = ["Круглосуточно", [[], []]];
  assert.deepEqual(mondayOf({ current: week([always], openState) }), [{ opens: "00:00", closes: "24:00" }]);
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

const nineToFive: Part = ["9 AM–5 PM", [[9], [17]]];

/** An ordinary week with one day told otherwise. */
function withDay(days: unknown[], change: (day: unknown[]) => unknown[], index = 3): unknown[] {
  return days.with(index, change([...(days[index] as unknown[])]));
}

test("hours of a holiday are not taken for those of its day of the week, and the text has them", () => {
  const usual = week([nineToFive], openState);
  const closed = [["Closed"]];
  for (const special of [
    withDay(usual, (day) => ["Thursday (Thanksgiving)", ...day.slice(1, 3), closed, 0, closedState]),
    withDay(usual, (day) => [...day.slice(0, 3), closed, 0, closedState, "Thanksgiving"]),
    withDay(usual, (day) => [...day.slice(0, 3), closed, 0, closedState, null, [null, ["Thanksgiving"]]]),
    withDay(usual, (day) => [...day.slice(0, 3), closed, 1, closedState]),
    withDay(usual, (day) => [...day.slice(0, 3), [nineToFive, ["Hours might differ"]], 0, openState]),
    withDay(usual, (day) => [...day.slice(0, 3), [...closed, ["Las horas pueden variar"]], 0, closedState]),
  ]) {
    const hours = hoursOf({ current: special });
    assert.ok(typeof hours !== "string", JSON.stringify(special[3]));
    assert.equal(hours.weekly, null, JSON.stringify(special[3]));
    assert.match(hours.raw ?? "", /Day 3: 9 AM–5 PM; (?:Day 4|Thursday)/);
  }
  const older = olderWeek(["9 AM–5 PM"], [[9, 0, 17, 0]], openState);
  for (const special of [
    withDay(older, (day) => [...day.slice(0, 8), "Thanksgiving"]),
    withDay(older, (day) => day.with(1, ["9 AM–5 PM", "Hours might differ"])),
  ]) {
    const hours = hoursOf({ older: special });
    assert.ok(typeof hours !== "string" && hours.weekly === null, JSON.stringify(special[3]));
  }
});

test("a holiday is named in the text, and the ordinary day of the week after takes its place in the table", () => {
  const usual = week([nineToFive], openState);
  const special = withDay(usual, (day) => [...day.slice(0, 3), [["Closed"]], 0, closedState, ["Thanksgiving"]]);

  const hours = hoursOf({ current: special });
  assert.ok(typeof hours !== "string");
  assert.match(hours.raw ?? "", /Day 4 \(Thanksgiving\): Closed/);
  const both = hoursOf({ current: [...special, ...usual] });
  assert.ok(typeof both !== "string");
  assert.deepEqual(both.weekly?.thursday, [{ opens: "09:00", closes: "17:00" }]);
});

test("what is told of every day of the week makes none of them a holiday", () => {
  const usual = week([nineToFive], openState).map((day) => [...(day as unknown[]), "0ahUKEwi"]);

  assert.deepEqual(mondayOf({ current: usual }), [{ opens: "09:00", closes: "17:00" }]);
});
