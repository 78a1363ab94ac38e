const facts = `AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware,
DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas,
KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi,
MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York,
NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, RI Rhode Island,
SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, WA Washington,
WV West Virginia, WI Wisconsin, WY Wyoming`;

/** The states of the United States, and their capital's district: code, and name as queries have it. */
export const states: readonly { code: string; name: string }[] = facts
  .split(/,\s+/)
  .map((fact) => ({ code: fact.slice(0, 2), name: fact.slice(3).toLowerCase() }));

/** What people call them: by name, and as "Washington State" to tell it from the city. */
const codesByName: ReadonlyMap<string, string> = new Map(
  states.flatMap(({ code, name }) => [
    [name, code],
    [`${name} state`, code],
    [`state of ${name}`, code],
  ]),
);

/** What may follow a town's name: the name, the code, and that of the capital's district in letters. */
const codesByEnding: ReadonlyMap<string, string> = new Map([
  ...states.flatMap(({ code, name }): [string, string][] => [
    [name, code],
    [code.toLowerCase(), code],
  ]),
  ["d c", "DC"],
]);
const endingWordsMax = 3;

/** The code of the state of this name. Codes alone are no names: "la" and "in" mean other things. */
export function stateNamed(phrase: string): string | undefined {
  return codesByName.get(phrase);
}

const postalCode = /^\d{5}$/;

/** "Portland Oregon" and "Austin TX 78701" as the town and the code of the state; undefined without a state at the end. */
export function splitState(phrase: string): { town: string; code: string } | undefined {
  const words = phrase.split(" ");
  const end = postalCode.test(words.at(-1) ?? "") ? words.length - 1 : words.length;
  for (let count = Math.min(endingWordsMax, end - 1); count >= 1; count -= 1) {
    const code = codesByEnding.get(words.slice(end - count, end).join(" "));
    if (code !== undefined) return { town: words.slice(0, end - count).join(" "), code };
  }
  return undefined;
}
