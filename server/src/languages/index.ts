export { familyLabel, familyOf, featureLabel, groupLabel, labelOf, optionLabel } from "./labels.ts";
export {
  type FeatureGroup,
  type Language,
  type LinkRole,
  linkRoles,
  type TableField,
  tableFields,
  type TimeOfWeek,
  timesOfWeek,
} from "./language.ts";
export { furtherLanguages, languageFor, lexicon, rankedLanguages } from "./lexicon.ts";
export { categoriesInAnyLanguage, isLoose, termsOf } from "./terms.ts";
