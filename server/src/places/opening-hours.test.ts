import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isAlwaysClosed, readOpeningHours } from "./opening-hours.ts";

test("day ranges, lists, split shifts and closed days become a week", () => {
  const week = weekOf("Mo-Fr 08:00-12:00,13:30-18:00; Sa 09:00-16:00; Su off");

  assert.equal(week[0], "08:00-12:00 13:30-18:00");
  assert.deepEqual([week[4], week[5], week[6]], [week[0], "09:00-16:00", ""]);
});

// One line to a text: what each day from Monday to Sunday comes to, null where nobody can read it, or where no day of the
// text is a weekly plan.
const readings: [text: string, week: (string | null)[] | null][] = [
  ["24/7", Array<string>(7).fill("00:00-24:00")],
  ["08:00-20:00", Array<string>(7).fill("08:00-20:00")],
  ["Mo,We,Fr 10:00-12:00", ["10:00-12:00", "", "10:00-12:00", "", "10:00-12:00", "", ""]],
  ["Sa-Mo 10:00-12:00", ["10:00-12:00", "", "", "", "", "10:00-12:00", "10:00-12:00"]],
  ["Fr,Sa 20:00-04:00", ["", "", "", "", "20:00-04:00", "20:00-04:00", ""]],
  ["Fr 20:00-26:00", ["", "", "", "", "20:00-02:00", "", ""]],
  ["Mo 00:00-24:00", ["00:00-24:00", "", "", "", "", "", ""]],
  ["Mo-Su 09:00-18:00; We off", weekWith("09:00-18:00", 2, "")],
  ["Mo-Su,PH 09:00-18:00", Array<string>(7).fill("09:00-18:00")],
  ["Mo-Su 09:00-18:00; PH off", Array<string>(7).fill("09:00-18:00")],
  ["Mo-Su 09:00-18:00; Su,PH closed", weekWith("09:00-18:00", 6, "")],
  ["Mo 08:00-10:00, Tu 09:00-11:00", ["08:00-10:00", "09:00-11:00", "", "", "", "", ""]],
  ["Mo 08:00-10:00, Mo 14:00-16:00", ["08:00-10:00 14:00-16:00", "", "", "", "", "", ""]],
  ["Mo 8:00-10:00; Mo 9:00-11:00", ["09:00-11:00", "", "", "", "", "", ""]],
  ["mon - fri: 8.30 – 17.00", ["08:30-17:00", "08:30-17:00", "08:30-17:00", "08:30-17:00", "08:30-17:00", "", ""]],
  ['Mo 10:00-12:00 "by appointment"', ["10:00-12:00", "", "", "", "", "", ""]],
  ["closed", Array<string>(7).fill("")],
  ["Apr-Oct 10:00-18:00", null],
  ["Jan-Mar,Nov-Dec 10:00-18:00", null],
  [
    "Mo-Fr 08:00-18:00; Dec 25 off",
    ["08:00-18:00", "08:00-18:00", "08:00-18:00", "08:00-18:00", "08:00-18:00", "", ""],
  ],
  ["Mo-Su 08:00-18:00; 2026 Dec 24-26 08:00-12:00", Array<string>(7).fill("08:00-18:00")],
  ["Mo-Su 08:00-18:00; Dec 24-Jan 2 off", Array<string>(7).fill("08:00-18:00")],
  ["Mo-Su 08:00-18:00; Jun-Aug Sa,Su 08:00-22:00", [...Array<string>(5).fill("08:00-18:00"), null, null]],
  ["Mo-Su 08:00-18:00; Jun-Aug 08:00-22:00", null],
  ["Th[1] 10:00-12:00", null],
  ["Mo-We 10:00-12:00; Th[1] 10:00-12:00", ["10:00-12:00", "10:00-12:00", "10:00-12:00", null, "", "", ""]],
  ["Mo-Fr 10:00-12:00; Sa by appointment", [...Array<string>(5).fill("10:00-12:00"), null, ""]],
  ["Mo-Fr 10:00-12:00; Sa 18:00+", [...Array<string>(5).fill("10:00-12:00"), null, ""]],
  ["Mo-Fr 10:00-12:00+", [...Array<string>(5).fill("10:00-12:00"), "", ""]],
  ["Mo-Fr 10:00-12:00, Fr sunset-23:00", [...Array<string>(4).fill("10:00-12:00"), null, "", ""]],
  [
    "Mo-Fr 10:00-12:00; Fr sunset-23:00; Fr 11:00-12:00",
    [...Array<string>(4).fill("10:00-12:00"), "11:00-12:00", "", ""],
  ],
  ["Mo-Fr 10:00-12:00; whenever", null],
  ["Mo-Fr 18:00+", null],
  ["sunrise-sunset", null],
  ["PH off", null],
  ["Su off", null],
  ["Sa-Su off; PH off", null],
  ['Mo closed "Ruhetag"', null],
  ["Mo-Fr off, Sa-Su off", Array<string>(7).fill("")],
  ["Mo 25:00-26:00", null],
  ["Mo 10:60-11:00", null],
  ["Mo 10:00-34:00", ["10:00-10:00", "", "", "", "", "", ""]],
  ["Mo 10:00-34:01", null],
  ["Mo 10:00-48:00", null],
  ["on request", null],
  ["Mo-Xx 10:00-12:00", null],
];

for (const [text, week] of readings) {
  test(`${text} is ${week === null ? "no weekly plan" : "a weekly plan"}, and its text is kept`, () => {
    const hours = readOpeningHours(text);

    assert.equal(hours?.raw, text);
    assert.deepEqual(hours.weekly === null ? null : weekOf(text), week);
  });
}

test("no text is no hours, and a very long one is kept in part", () => {
  assert.equal(readOpeningHours("  "), null);
  assert.equal(readOpeningHours("x".repeat(3000))?.raw?.length, 2000);
  assert.equal(readOpeningHours(`Mo ${"10:00-11:00,".repeat(24)}10:00-11:00`)?.weekly, null);
});

test("a place that never opens differs from one whose hours nobody knows", () => {
  for (const text of ["off", "closed", "Mo-Su off", 'off "gone"'])
    assert.ok(isAlwaysClosed(readOpeningHours(text)), text);
  for (const text of ["Su off", "We off", "Sa-Su off; PH off"])
    assert.ok(!isAlwaysClosed(readOpeningHours(text)), text);
  assert.ok(!isAlwaysClosed(readOpeningHours("Su off; Mo 10:00-12:00")));
  assert.ok(!isAlwaysClosed(readOpeningHours("by chance")));
});

test("whatever the text, reading it ends and throws nothing", () => {
  const piece = fc.constantFrom("mo", "-", ",", ";", " ", "su", "off", "ph", "24/7", "08:00", "25:61", '"', "[1]", "+");
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join("")),
      ),
      (text) => {
        readOpeningHours(text);
      },
    ),
  );
});

function weekOf(text: string): (string | null)[] {
  return Object.values(readOpeningHours(text)?.weekly ?? {}).map(
    (slots) => slots && slots.map(({ opens, closes }) => `${opens}-${closes}`).join(" "),
  );
}

function weekWith(hours: string, day: number, other: string): string[] {
  return Array.from({ length: 7 }, (_, index) => (index === day ? other : hours));
}
