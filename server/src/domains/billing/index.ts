export { type Balance, standardAllowance, UnitHeaders, unitHeaders } from "./billing.ts";
export { AllowanceExhausted, AllowanceInvalid } from "./errors.ts";
export { type Billing, createBilling } from "./service.ts";
