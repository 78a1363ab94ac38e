export { type Attribute, attributes } from "./attributes.ts";
export {
  businessKeys,
  furtherTags,
  isBusiness,
  isFoundUnnamed,
  isFurnitureCategory,
  isUnnamed,
  nameOf,
  unnamedKeys,
} from "./business.ts";
export { categoriesOfTags, isGeneral, splitValues, tagsOfCategory, titleOf } from "./categories.ts";
export { isLandmark, landmarkTags } from "./landmarks.ts";
export { isNoBusinessOfOverture, kindOfOverture, type OvertureKind } from "./overture.ts";
export { presets } from "./presets.ts";
