export { type Balance, standardAllowance, UnitHeaders, unitHeaders } from "./billing.ts";
export { AllowanceExhausted, AllowanceInvalid, exhaustedBalance } from "./errors.ts";
export { type Billing, createBilling } from "./service.ts";
