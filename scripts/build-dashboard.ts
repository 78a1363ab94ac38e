// Builds the dashboard, unless what is there was built from these sources already.
import { buildDashboardWhenStale } from "../cli/src/dashboard.ts";

if (!(await buildDashboardWhenStale())) process.exitCode = 1;
