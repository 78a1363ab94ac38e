// Writes docs/waypost.postman_collection.json from server/openapi.json; part of `npm run openapi`.
import { writeFile } from "node:fs/promises";
import { postmanCollection } from "./postman-collection.ts";

await writeFile(new URL("../docs/waypost.postman_collection.json", import.meta.url), await postmanCollection());
console.log("Wrote docs/waypost.postman_collection.json");
