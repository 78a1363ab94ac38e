import assert from "node:assert/strict";
import { test } from "node:test";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";
import { readConfig } from "../service/config/config.ts";
import { readStatus } from "./status.ts";

test("status of an installation that does not run says so and starts nothing", async (t) => {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const config = readConfig({ WAYPOST_DATA_DIR: folder, WAYPOST_PORT: "1" }); // where nothing listens

  const status = await readStatus(config);

  assert.equal(status.service.state, "no_answer");
  assert.match(status.database.problem ?? "", /is not made yet/);
  assert.equal(status.processes, null);
});
