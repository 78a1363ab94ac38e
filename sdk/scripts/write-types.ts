// Writes sdk/src/openapi.ts from server/openapi.json; part of `npm run openapi`.
import { writeFile } from "node:fs/promises";
import { openApiTypes } from "./openapi-types.ts";

await writeFile(new URL("../src/openapi.ts", import.meta.url), await openApiTypes());
console.log("Wrote sdk/src/openapi.ts");
