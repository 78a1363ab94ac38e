/** Fields that no open data set has. */
export const neverInOpenData: readonly string[] = [
  ..."cid dataId kgmid rating reviewCount reviewUrl priceRange claimed note reviews photos".split(" "),
  ..."owner.id owner.profileUrl".split(" "),
];
/** A source that knows no areas cannot tell the municipality either. */
export const neverWithoutAreas: readonly string[] = [...neverInOpenData, "address.municipality"];
