const browsers = [
  ["Edge", /\bEdgA?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
] as const;

const systems = [
  ["Android", /Android/],
  ["iOS", /iPhone|iPad/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["Linux", /Linux/],
] as const;

/** The browser that a User-Agent header names, in words; the header itself where it names none that is known. */
export function browserOf(userAgent: string): string {
  const [browser, system] = [browsers, systems].map((known) => known.find(([, sign]) => sign.test(userAgent))?.[0]);
  if (!browser) return userAgent.slice(0, 90) || "Unknown browser";
  return system ? `${browser} on ${system}` : browser;
}
