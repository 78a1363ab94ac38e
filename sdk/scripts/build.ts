// Builds the package as it is published, into sdk/dist: `npm run sdk:build`, then `npm publish sdk/dist`.
import { buildPackage } from "./package.ts";

await buildPackage();
console.log("Built sdk/dist");
