/** Settings that went, and what does their work now. The next release refuses them like any unknown variable. */
export const formerSettings: ReadonlyMap<string, string> = new Map([
  ["WAYPOST_CATALOG_MEMORY", "Searches read the place index through the system's cache: leave memory free for it."],
  ["WAYPOST_CATALOG_DISK", "The place index has the records; WAYPOST_INDEX_DIR says where it lies."],
  ["WAYPOST_READER_BYTES_PER_SECOND", "A proxy in front disconnects readers that take a little now and then."],
]);

/** A line for each former setting that is still set. It has no effect. */
export function formerVariables(environment: NodeJS.ProcessEnv): string[] {
  return [...formerSettings]
    .filter(([name]) => environment[name])
    .map(([name, instead]) => `${name} has no effect any more. ${instead} Unset it: the next release refuses it.`);
}
