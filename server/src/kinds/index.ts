export { type Attribute, attributes } from "./attributes.ts";
export { businessKeys, furtherTags, isBusiness, isFurnitureCategory, nameOf } from "./business.ts";
export { categoriesOfTags, isGeneral, splitValues, tagsOfCategory, titleOf } from "./categories.ts";
export { isNoBusinessOfOverture, kindOfOverture, type OvertureKind } from "./overture.ts";
export { presets } from "./presets.ts";
