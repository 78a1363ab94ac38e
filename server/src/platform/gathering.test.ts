import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { gather } from "./gathering.ts";

/** An answerer that answers when it is told to. */
function held() {
  const asked: { questions: readonly string[]; answer(): void; fail(error: Error): void }[] = [];
  const askAll = (questions: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    asked.push({ questions, answer: () => resolve(questions.map((each) => each.toUpperCase())), fail: reject });
    return promise;
  };
  return { asked, askAll, groups: () => asked.map(({ questions }) => questions) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("questions of one turn are asked together, and those that come meanwhile form the next group", async () => {
  const { asked, askAll, groups } = held();
  const ask = gather(askAll, { groupMax: 10, groupsAtOnce: 1 });

  const first = ["a", "b"].map((question) => ask(question));
  await turn();
  const second = ["c", "d", "e"].map((question) => ask(question));
  await turn();
  assert.deepEqual(groups(), [["a", "b"]], "one group at once");

  asked[0]?.answer();
  assert.deepEqual(await Promise.all(first), ["A", "B"]);
  assert.deepEqual(groups(), [
    ["a", "b"],
    ["c", "d", "e"],
  ]);
  asked[1]?.answer();
  assert.deepEqual(await Promise.all(second), ["C", "D", "E"]);
});

test("a group is no larger, and there are no more of them, than was said", async () => {
  const { asked, askAll, groups } = held();
  const ask = gather(askAll, { groupMax: 2, groupsAtOnce: 2 });

  const answers = Promise.all(["a", "b", "c", "d", "e"].map((question) => ask(question)));
  await turn();
  assert.deepEqual(groups(), [
    ["a", "b"],
    ["c", "d"],
  ]);
  asked[1]?.answer();
  await turn();
  assert.deepEqual(groups().at(-1), ["e"]);
  asked[0]?.answer();
  asked[2]?.answer();
  assert.deepEqual(await answers, ["A", "B", "C", "D", "E"]);
});

test("a group waits for the one before it while that is answered soon, and not when it is full or late", async () => {
  const { asked, askAll, groups } = held();
  const ask = gather(askAll, { groupMax: 2, groupsAtOnce: 4, patienceMs: 500 });

  const answers = [ask("a")];
  await turn();
  answers.push(ask("b"));
  await turn();
  assert.deepEqual(groups(), [["a"]], "there was a place, but the first is not late");
  asked[0]?.answer();
  await turn();
  assert.deepEqual(groups(), [["a"], ["b"]]);

  answers.push(ask("c"), ask("d"));
  await turn();
  assert.deepEqual(groups(), [["a"], ["b"], ["c", "d"]], "a full one has nothing to wait for");

  answers.push(ask("e"));
  await sleep(600);
  assert.deepEqual(groups(), [["a"], ["b"], ["c", "d"], ["e"]], "those before it are late");
  for (const each of asked) each.answer();
  assert.deepEqual(await Promise.all(answers), ["A", "B", "C", "D", "E"]);
});

test("a failure is everybody's of the group and nobody else's", async () => {
  const { asked, askAll } = held();
  const ask = gather(askAll, { groupMax: 2, groupsAtOnce: 1 });

  const answers = Promise.allSettled(["a", "b", "c"].map((question) => ask(question)));
  await turn();
  asked[0]?.fail(new Error("lost"));
  await turn();
  asked[1]?.answer();

  const states = (await answers).map(({ status }) => status);
  assert.deepEqual(states, ["rejected", "rejected", "fulfilled"]);
});

test("a question that is left without an answer fails", async () => {
  const ask = gather(async () => [], { groupMax: 2, groupsAtOnce: 1 });
  await assert.rejects(ask("a"), /without an answer/);
});
