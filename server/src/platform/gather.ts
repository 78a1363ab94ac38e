type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void };

type GatherOptions = {
  /** How many large calls may be under way. */
  atOnceMax: number;
  /** How many small calls one large call may stand for. */
  togetherMax: number;
};

/**
 * Makes few large calls of many small ones: a call that comes while others are under way waits for
 * one of them to end and shares the next with all that came meanwhile. Nobody waits while there is
 * room. The work resolves to one result for each item, in their order; its failure is everybody's
 * who shared it.
 */
export function gather<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  { atOnceMax, togetherMax }: GatherOptions,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;

  async function workNext() {
    if (underWay === atOnceMax || waiting.length === 0) return;
    const sharing = waiting.splice(0, togetherMax);
    underWay += 1;
    try {
      const results = await work(sharing.map(({ item }) => item));
      sharing.forEach(({ resolve, reject }, index) => {
        if (index < results.length) resolve(results[index] as Result);
        else reject(new Error("a gathered call was not answered"));
      });
    } catch (error) {
      for (const { reject } of sharing) reject(error);
    } finally {
      underWay -= 1;
      void workNext();
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      void workNext();
    });
}
