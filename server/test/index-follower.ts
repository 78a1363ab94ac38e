// Follows the catalog as a service does, for the tests that kill one.
import { silentLog } from "../src/platform/log.ts";
import { type FollowerSettings, startFollower } from "../src/place-index/file/follower.ts";

const settings = JSON.parse(process.argv[2] ?? "") as FollowerSettings;
const follower = startFollower({ ...settings, log: silentLog });
await follower.looked;
process.stdout.write("looked\n");
setInterval(() => undefined, 60_000);
