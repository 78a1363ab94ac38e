// Writes docs/reference/languages.md from what the service loads of languages: npm run languages:page
import { writeFile } from "node:fs/promises";
import { languagesPage } from "./coverage.ts";

await writeFile(new URL("../../../../docs/reference/languages.md", import.meta.url), languagesPage());
