import { standardTestQuota } from "../../domains/billing/index.ts";
import { integer, setting } from "../../platform/settings.ts";

export const billingSettings = {
  defaultAllowance: setting(
    "WAYPOST_DEFAULT_ALLOWANCE",
    undefined,
    integer(0, 999_999_999),
    "Request units per calendar month for each organization that was given no allowance of its own. Unset, they have no ceiling.",
  ),
  testQuotaPerDay: setting(
    "WAYPOST_TEST_QUOTA",
    String(standardTestQuota),
    integer(0, 999_999_999),
    "How many jobs, collections and searches with an Idempotency-Key the test keys of one organization may store per day (UTC).",
  ),
};
