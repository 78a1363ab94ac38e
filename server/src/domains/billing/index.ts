export { type Balance, noCeiling, UnitHeaders, unitHeaders } from "./billing.ts";
export { AllowanceExhausted, AllowanceInvalid, exhaustedBalance } from "./errors.ts";
export { createTestQuota, standardTestQuota, type TestQuota } from "./test-quota.ts";
export { type Billing, createBilling } from "./service.ts";
