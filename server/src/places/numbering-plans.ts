import metadata from "libphonenumber-js/min/metadata";

/** A country's entry in the library's tables; the numbers are positions in it. */
type Entry = readonly unknown[] & {
  readonly 2: string;
  readonly 3: readonly number[];
  readonly 4?: readonly Format[] | 0;
  readonly 5?: string | 0;
  readonly 7?: string | 0;
  readonly 10?: string | 0;
  readonly 11?: readonly (readonly [pattern: string, lengths?: readonly number[]] | 0)[] | 0;
};
type Format = readonly [
  pattern: string,
  national: string,
  leadingDigits?: readonly string[] | 0,
  rule?: unknown,
  isOptional?: unknown,
  international?: string,
];

/** The numbers that share a calling code, with patterns that are compiled once. */
type Plan = { nationalPrefix: RegExp | undefined; countries: readonly Country[] };
type Country = {
  lengths: readonly number[];
  isOwn: (number: string) => boolean;
  layouts: readonly Layout[];
};
type Layout = { leadingDigits: RegExp | undefined; whole: RegExp; groups: RegExp; text: string };

const plainNumber = /^\+[1-9][\d ().-]*$/;
const callingCodeMax = 3;
const nationalMin = 2;
const nationalMax = 17;
const plans = new Map<string, Plan>();

/**
 * Formats a number with a plus sign as libphonenumber does, which goes through its tables and compiles their patterns
 * again for each number. Returns undefined where more than the tables decides: the library has to.
 */
export function formatInternational(value: string): string | undefined {
  if (!plainNumber.test(value) || !/\d{2}/.test(value)) return undefined;
  const digits = value.replaceAll(/\D/g, "");
  const callingCode = callingCodeOf(digits);
  if (callingCode === undefined) return undefined;
  const number = digits.slice(callingCode.length);
  if (number.length < nationalMin || number.length > nationalMax) return undefined;
  const { nationalPrefix, countries } = planOf(callingCode);
  if (nationalPrefix?.test(number)) return undefined;
  const country = countries.length === 1 ? countries[0] : countries.find(({ isOwn }) => isOwn(number));
  if (!country?.lengths.includes(number.length)) return undefined;
  return `+${callingCode} ${layOut(number, country.layouts)}`;
}

const byCallingCode: Readonly<Record<string, readonly string[]>> = metadata.country_calling_codes;

function callingCodeOf(digits: string): string | undefined {
  for (let length = 1; length <= callingCodeMax; length += 1) {
    const code = digits.slice(0, length);
    if (byCallingCode[code]) return code;
  }
  return undefined;
}

function planOf(callingCode: string): Plan {
  const known = plans.get(callingCode);
  if (known) return known;
  const entries = (byCallingCode[callingCode] ?? []).map(entryOf).filter((entry) => entry !== undefined);
  const [main] = entries;
  const prefix = main && (main[7] || main[5]);
  const plan = {
    nationalPrefix: prefix ? new RegExp(`^(?:${prefix})`) : undefined,
    countries: entries.map((entry) => toCountry(entry, main ?? entry)),
  };
  plans.set(callingCode, plan);
  return plan;
}

function entryOf(country: string): Entry | undefined {
  const countries: Readonly<Record<string, unknown>> = metadata.countries;
  return countries[country] as Entry | undefined; // the test compares every plan with the library
}

/** A country without formats of its own uses those of the first that has its calling code. */
function toCountry(entry: Entry, main: Entry): Country {
  const leadingDigits = entry[10] ? new RegExp(`^(?:${entry[10]})`) : undefined;
  const numbers = wholly(entry[2]);
  const kinds = (entry[11] || []).flatMap((kind) =>
    kind && kind[0] ? [{ pattern: wholly(kind[0]), lengths: kind[1] || entry[3] }] : [],
  );
  return {
    lengths: entry[3],
    isOwn: (number) =>
      leadingDigits
        ? leadingDigits.test(number)
        : numbers.test(number) &&
          kinds.some(({ pattern, lengths }) => lengths.includes(number.length) && pattern.test(number)),
    layouts: (entry[4] || main[4] || []).map(toLayout),
  };
}

function toLayout([pattern, national, leadingDigits, , , international]: Format): Layout {
  const finest = (leadingDigits || []).at(-1);
  return {
    leadingDigits: finest === undefined ? undefined : new RegExp(`^(?:${finest})`),
    whole: wholly(pattern),
    groups: new RegExp(pattern),
    text: international || national,
  };
}

function wholly(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}

const groupsOfDigits = /^\d+(?: \d+)*$/;

function layOut(number: string, layouts: readonly Layout[]): string {
  for (const { leadingDigits, whole, groups, text } of layouts) {
    if ((leadingDigits?.test(number) ?? true) && whole.test(number)) {
      const grouped = number.replace(groups, text);
      return groupsOfDigits.test(grouped) ? grouped : grouped.replaceAll(/[-/. ()[\]~]+/g, " ").trim();
    }
  }
  return number;
}
