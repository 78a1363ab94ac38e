/** Why a field is null or empty. */
export const fieldStates = ["absent", "not_supplied", "not_supported", "parse_failed", "not_requested"] as const;
export type FieldState = (typeof fieldStates)[number];

/** Why fields are empty, by field. */
export type Reasons = ReadonlyMap<string, FieldState>;
