export { languageFor } from "./data.ts";
export { familyLabel, familyOf, featureLabel, labelOf, optionLabel } from "./labels.ts";
export { categoriesCalled, categoriesInAnyLanguage, isLoose, longestTermFrom, termsOf, warmTerms } from "./terms.ts";
export { type ReadLanguage, readLanguages } from "./everyday.ts";
