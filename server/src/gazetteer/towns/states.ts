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

/** The code of the state of this name. Codes alone are no names: "la" and "in" mean other things. */
export function stateNamed(phrase: string): string | undefined {
  return codesByName.get(phrase);
}

/** The code of a state by itself, as it follows a town's name: "or" and "me" are words elsewhere. */
export function stateCoded(phrase: string): string | undefined {
  return codesByName.has(phrase) ? undefined : codesByEnding.get(phrase);
}
