/** Fields that no open data set has, and a table of one's own may. */
export const onlyInOwnTables = ["rating", "reviewCount", "priceRange"] as const;
/** Fields that nothing in the catalog has. */
export const neverInCatalog: readonly string[] = [
  ..."cid dataId kgmid reviewUrl claimed note reviews photos".split(" "),
  ..."owner.id owner.profileUrl".split(" "),
];
/** A source that knows no areas cannot tell the municipality either. */
export const neverWithoutAreas: readonly string[] = [...neverInCatalog, ...onlyInOwnTables, "address.municipality"];
