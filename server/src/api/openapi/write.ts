// Writes server/openapi.json from the route schemas: `npm run openapi`.
import { writeFile } from "node:fs/promises";
import { openApiText } from "./document-text.ts";

const path = new URL("../../../openapi.json", import.meta.url);
await writeFile(path, await openApiText());
console.log("Wrote server/openapi.json");
