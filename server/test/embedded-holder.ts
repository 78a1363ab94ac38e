// Holds a data folder as a service does, for the tests that kill one.
import { silentLog } from "../src/platform/log.ts";
import { startEmbedded } from "../src/platform/postgres/embedded/index.ts";

await startEmbedded({ dataFolder: process.argv[2] ?? "", log: silentLog });
process.stdout.write("ready\n");
setInterval(() => undefined, 60_000);
