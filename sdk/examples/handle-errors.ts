// Tells errors apart by their code. What is worth repeating has been repeated already when one arrives here.
import { isWaypostError, Waypost } from "@waypost/sdk";

const waypost = new Waypost({ maxRetries: 2 });

try {
  await waypost.search({ q: "?" });
} catch (error) {
  if (!isWaypostError(error)) throw error;
  switch (error.code) {
    case "invalid_request":
      console.log("correct the request:", error.details);
      break;
    case "allowance_exhausted":
      console.log("no request units left:", error.message);
      break;
    case "rate_limited":
    case "connection_failed":
      console.log("try again later, in", error.retryAfterMs ?? 60_000, "ms");
      break;
    default:
      console.log(error.code, error.message, error.requestId);
  }
}
