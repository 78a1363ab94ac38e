import assert from "node:assert/strict";
import { Socket } from "node:net";
import { test } from "node:test";
import { createSeats } from "./seats.ts";

function givenSeats(seatsMax: number) {
  const busy = new Set<Socket>();
  const closed: string[] = [];
  const seats = createSeats({
    seatsMax,
    isBusy: (socket) => busy.has(socket),
    onClosed: (reason) => void closed.push(reason),
  });
  const enter = () => {
    const socket = new Socket();
    seats.enter(socket);
    return socket;
  };
  const asked = (socket: Socket) => (seats.noteRequest(socket), socket);
  const known = (socket: Socket) => (seats.noteKnown(asked(socket)), socket);
  return { busy, closed, enter, asked, known };
}

test("who has sent no request gives way to newcomers, the oldest first", () => {
  const { closed, enter, asked } = givenSeats(8);
  const spoken = asked(enter());
  const silent = [enter(), enter(), enter()];

  const newcomers = [enter(), enter()];

  assert.deepEqual(
    silent.map(({ destroyed }) => destroyed),
    [true, true, false],
  );
  assert.ok(!spoken.destroyed && newcomers.every(({ destroyed }) => !destroyed));
  assert.deepEqual(closed, ["gave_way", "gave_way"]);
});

test("then strangers who wait for nothing give way, and where all are busy the newcomer goes", () => {
  const { busy, closed, enter, asked } = givenSeats(4);
  const [first, second] = [asked(enter()), asked(enter())];
  busy.add(first);

  const third = asked(enter());
  busy.add(third);
  const fourth = enter();

  assert.deepEqual(
    [first, second, third, fourth].map(({ destroyed }) => destroyed),
    [false, true, false, true],
  );
  assert.deepEqual(closed, ["gave_way", "total"]);
});

test("half of the seats are kept for whoever has authenticated once, and such a one never gives way", () => {
  const { enter, known } = givenSeats(8);
  const regulars = Array.from({ length: 4 }, () => known(enter()));

  const silent = Array.from({ length: 100 }, enter);
  const late = Array.from({ length: 2 }, () => known(enter()));

  assert.ok([...regulars, ...late].every(({ destroyed }) => !destroyed));
  assert.equal(silent.filter(({ destroyed }) => !destroyed).length, 2);
});

test("seats that all are kept by known connections are no one else's", () => {
  const { closed, enter, known } = givenSeats(2);
  const regulars = [known(enter()), known(enter())];

  assert.ok(enter().destroyed);
  assert.deepEqual(closed, ["total"]);
  regulars[0]?.emit("close");
  assert.ok(!enter().destroyed);
});
