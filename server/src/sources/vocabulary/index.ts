export { businessKeys, furtherTags, isBusiness, isFurnitureCategory, nameOf } from "./business.ts";
export { categoriesOfTags, isGeneral, labelOf, splitValues, tagsOfCategory, titleOf } from "./categories.ts";
export { languageFor } from "./data.ts";
export { familyLabel, familyOf, featureLabel, optionLabel } from "./features.ts";
export { languageOfCountry, languagesOfLetters } from "./implied-languages.ts";
export { isPlain, normalize } from "./normalize.ts";
export { categoryOfOverture, isKnownOverture } from "./overture.ts";
export {
  categoriesCalled,
  categoriesInAnyLanguage,
  isLoose,
  longestByFirstWord,
  longestTermFrom,
  termsOf,
  warmTerms,
} from "./terms.ts";
export { type ReadLanguage, readLanguages } from "./everyday.ts";
export { transliterations } from "./transliterate.ts";
