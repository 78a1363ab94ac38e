export { createRateLimit } from "../domains/api-keys/index.ts";
