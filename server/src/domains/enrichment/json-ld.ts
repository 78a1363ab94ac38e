const valuesMax = 20_000;

/** E-mail addresses and profile links that a JSON-LD block states, wherever in it they stand. */
export function contactsInJsonLd(text: string): { emails: string[]; profiles: string[] } {
  const found = { emails: [] as string[], profiles: [] as string[] };
  const waiting: unknown[] = [parsed(text)];
  for (let seen = 0; waiting.length > 0 && seen < valuesMax; seen += 1) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (name === "email") found.emails.push(...strings(inner));
      if (name === "sameAs") found.profiles.push(...strings(inner));
      if (typeof inner === "object") waiting.push(inner);
    }
  }
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\s*<!--|-->\s*$/g, ""));
  } catch {
    return undefined;
  }
}

function strings(value: unknown): string[] {
  return [value].flat().filter((item) => typeof item === "string");
}
