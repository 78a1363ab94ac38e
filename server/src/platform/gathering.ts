type Waiting<Question, Answer> = PromiseWithResolvers<Answer> & { question: Question };

type GatherOptions = {
  groupMax: number;
  groupsAtOnce: number;
  /** How long a group that is not full waits for the one before it to be answered. */
  patienceMs?: number;
};

/**
 * Lets questions that come at once be asked together. Those that arrive while others are being
 * answered form the next group: under load many share one trip to the database, a single one waits
 * for nobody. The answers come in the order of the questions; a failure is everybody's in the group.
 */
export function gather<Question, Answer>(
  askAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  { groupMax, groupsAtOnce, patienceMs = 0 }: GatherOptions,
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let asking = 0;
  let askedAt = 0;
  let impatience: NodeJS.Timeout | undefined;

  function ask(question: Question): Promise<Answer> {
    const entry = { question, ...Promise.withResolvers<Answer>() };
    waiting.push(entry);
    // At the end of this turn, so that those who come in the same turn are asked along.
    if ((waiting.length === 1 || waiting.length === groupMax) && asking < groupsAtOnce) setImmediate(askNext);
    return entry.promise;
  }

  function askNext() {
    while (waiting.length > 0 && asking < groupsAtOnce) {
      const patienceLeftMs = asking > 0 && waiting.length < groupMax ? patienceMs - (performance.now() - askedAt) : 0;
      if (patienceLeftMs > 0) return losePatienceIn(patienceLeftMs);
      void askGroup(waiting.splice(0, groupMax));
    }
  }

  function losePatienceIn(ms: number) {
    impatience ??= setTimeout(() => {
      impatience = undefined;
      askNext();
    }, ms);
  }

  async function askGroup(group: readonly Waiting<Question, Answer>[]): Promise<void> {
    asking += 1;
    askedAt = performance.now();
    try {
      const answers = await askAll(group.map(({ question }) => question));
      if (answers.length !== group.length) throw new Error("a question was left without an answer");
      for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer); // there are as many
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      asking -= 1;
      askNext();
    }
  }

  return ask;
}
