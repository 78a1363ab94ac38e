/** The default of the setting. Who chooses less wants a small process. */
const usualMb = 256;

/**
 * What Node is to run the service with. Left to itself, V8 lets the young space grow to 128 MB, half of what a catalog may
 * take; and its garbage takes some 150 MB even where the catalog may keep 16, unless it is told that size matters more than
 * speed. Collecting it sooner costs a search that reads blocks twice its processor time.
 */
export function serviceFlags(environment) {
  const memoryMb = Number(environment.WAYPOST_CATALOG_MEMORY || Infinity);
  return memoryMb < usualMb ? ["--optimize-for-size"] : ["--max-semi-space-size=32"];
}
