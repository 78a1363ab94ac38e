/** Whether a path with its query may be visited. */
type Robots = (path: string) => boolean;

type Rule = { allows: boolean; pattern: string };
type Group = { agents: string[]; rules: Rule[] };

const rulesMax = 2000;
const patternCharactersMax = 2048;

/**
 * Reads a robots.txt as RFC 9309 says: the groups that name our product token, else those for
 * everybody; of the rules that match a path the longest counts, and Allow wins a tie.
 */
export function parseRobots(text: string, productToken: string): Robots {
  const groups = groupsOf(text);
  const token = productToken.toLowerCase();
  const own = groups.filter(({ agents }) => agents.includes(token));
  const chosen = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
  const rules = chosen.flatMap((group) => group.rules).slice(0, rulesMax);

  return (path) => {
    const visited = normalized(path);
    const matching = rules.filter(({ pattern }) => matches(pattern, visited));
    const longest = Math.max(0, ...matching.map(({ pattern }) => pattern.length));
    const deciding = matching.filter(({ pattern }) => pattern.length === longest);
    return deciding.length === 0 || deciding.some(({ allows }) => allows);
  };
}

function groupsOf(text: string): Group[] {
  const groups: Group[] = [];
  let readsAgents = false;
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/)) {
    const [, name = "", value = ""] = /^\s*([A-Za-z-]+)\s*:(.*)$/.exec(line.split("#")[0] ?? "") ?? [];
    const field = name.toLowerCase();
    if (field === "user-agent") {
      if (!readsAgents) groups.push({ agents: [], rules: [] });
      readsAgents = true;
      groups.at(-1)?.agents.push(value.trim().toLowerCase().split("/")[0] ?? "");
    } else if (field === "allow" || field === "disallow") {
      readsAgents = false;
      if (value.trim() !== "" && value.length <= patternCharactersMax)
        groups.at(-1)?.rules.push({ allows: field === "allow", pattern: normalized(value.trim()) });
    }
  }
  return groups;
}

/** Matches from the start of a path; `*` is any run of characters, and `$` at the end is the path's end. */
function matches(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith("$");
  const [head = "", ...parts] = (isAnchored ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(head)) return false;

  // By hand and not by a regular expression: the pattern is a stranger's.
  let at = head.length;
  const last = isAnchored ? parts.pop() : undefined;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  if (!isAnchored) return true;
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last);
}

/** One spelling for escaped and unescaped characters: `/%C3%BC`, `/%c3%bc` and `/ü` are one path. */
function normalized(path: string): string {
  return path
    .replace(/[^\u0021-\u007e]+/gu, (characters) => encodeURI(characters.toWellFormed()))
    .replace(/%[0-9a-f]{2}/gi, (escape) => {
      const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(character) ? character : escape.toUpperCase();
    });
}
