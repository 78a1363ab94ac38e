import assert from "node:assert/strict";
import { test } from "node:test";
import { gather } from "./gathering.ts";

/** Answers each group when it is told to, and remembers the groups. */
function heldAnswers() {
  const groups: { questions: readonly number[]; answer: PromiseWithResolvers<void> }[] = [];
  const askAll = async (questions: readonly number[]) => {
    const answer = Promise.withResolvers<void>();
    groups.push({ questions, answer });
    await answer.promise;
    return questions.map((question) => question * 10);
  };
  return { groups, askAll };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("questions of one turn are asked together and each gets its own answer", async () => {
  const { groups, askAll } = heldAnswers();
  const ask = gather(askAll, { groupMax: 10, groupsAtOnce: 1 });

  const answers = Promise.all([ask(3), ask(1), ask(2)]);
  await nextTurn();
  groups[0]?.answer.resolve();

  assert.deepEqual(await answers, [30, 10, 20]);
  assert.equal(groups.length, 1);
});

test("those who come while others are being answered form the next groups, none larger than allowed", async () => {
  const { groups, askAll } = heldAnswers();
  const ask = gather(askAll, { groupMax: 2, groupsAtOnce: 1 });

  const first = ask(1);
  await nextTurn();
  const later = Promise.all([2, 3, 4].map(ask));
  await nextTurn();
  assert.equal(groups.length, 1);
  for (let answered = 0; answered < 3; answered += 1) {
    groups[answered]?.answer.resolve();
    await nextTurn();
  }

  assert.deepEqual([await first, ...(await later)], [10, 20, 30, 40]);
  assert.deepEqual(
    groups.map(({ questions }) => questions),
    [[1], [2, 3], [4]],
  );
});

test("a failure is told to everyone in its group and to nobody else", async () => {
  const { groups, askAll } = heldAnswers();
  const ask = gather(askAll, { groupMax: 2, groupsAtOnce: 2 });

  const outcomes = Promise.allSettled([1, 2, 3].map(ask));
  await nextTurn();
  groups[0]?.answer.reject(new Error("no connection"));
  groups[1]?.answer.resolve();

  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ["rejected", "rejected", "fulfilled"],
  );
  const after = ask(4);
  await nextTurn();
  groups[2]?.answer.resolve();
  assert.equal(await after, 40);
});
