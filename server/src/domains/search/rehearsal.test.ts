import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { callTool } from "../../../test/mcp.ts";
import { startScrapes } from "../../../test/scrapes.ts";
import { newUuid } from "../../platform/ids.ts";
import { silentLog } from "../../platform/log.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { rehearsals } from "./rehearsal.ts";

const reference = new URL("../../../../docs/reference/errors.md", import.meta.url);

test("a test key rehearses every documented error, with its status and headers, and nothing is stored", async (t) => {
  const text = await readFile(reference, "utf8");
  const rows = [...text.matchAll(/^\| `(\w+)` \| (\d+) \| (yes|no) \| (?!only in the dashboard)/gm)];
  const api = await startScrapes(t);
  const { text: key, organizationId } = await api.givenKey();
  const idempotencyKey = newUuid();

  const documented = rows.map(([, code = ""]) => code);
  assert.ok(documented.length > 20);
  assert.deepEqual(Object.keys(rehearsals).toSorted(), documented.toSorted());
  for (const [, code = "", status, retryable] of rows) {
    const q = `test:error:${code}`;
    const answers = [
      await api.searchAs(key, { q }, { "Idempotency-Key": idempotencyKey }),
      await api.create(key, { q }, { "Idempotency-Key": idempotencyKey }),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, Number(status), code);
      assert.equal(answer.body["error"].code, code);
      assert.equal(answer.body["error"].retryable, retryable === "yes");
      assert.equal(answer.headers.get("idempotent-replayed"), null);
      const detail = detailOf[code];
      const { details } = answer.body["error"];
      if (detail) assert.match(details.join(), detail, code);
      else assert.deepEqual(details, [], code);
      const header = headerOf[code];
      if (header) assert.match(answer.headers.get(header[0]) ?? "", header[1], code);
    }
  }
  const { rows: stored } = await api.db.query(sql`
    select id::text as id from scrapes where organization_id = ${organizationId}
    union all
    select key from idempotency_records where owner like ${`${organizationId}/%`}
  `);
  assert.deepEqual(stored, []);
});

const detailOf: Record<string, RegExp> = {
  invalid_request: /^\/(input\/)?q: must not rehearse an error$/,
  insufficient_scope: /^scope: scrapes:write is required$/,
};

const headerOf: Record<string, [string, RegExp]> = {
  unauthenticated: ["www-authenticate", /^Bearer/],
  allowance_exhausted: ["x-svc-units-remaining", /^0$/],
  method_not_allowed: ["allow", /^POST$/],
  range_not_satisfiable: ["content-range", /^bytes \*\/0$/],
  idempotency_in_progress: ["retry-after", /^1$/],
  rate_limited: ["retry-after", /^\d+$/],
  temporarily_unavailable: ["retry-after", /^\d+$/],
  source_unavailable: ["retry-after", /^\d+$/],
};

test("a rehearsed fault is no fault in the log", async (t) => {
  const faults: string[] = [];
  const api = await startScrapes(t, { log: { ...silentLog, error: (_, message) => void faults.push(message) } });
  const { text: key } = await api.givenKey();
  const q = "test:error:internal_error";

  const answer = await api.searchAs(key, { q });
  const overMcp = await callTool(api, key, "search_businesses", { q });

  assert.equal(answer.status, 500);
  assert.match(JSON.stringify(overMcp), /internal_error/);
  assert.deepEqual(faults, []);
});

test("an error that is not documented is refused, and live keys rehearse nothing", async (t) => {
  const api = await startScrapes(t, {
    source: { name: "quiet", search: async () => ({ listings: [], verdict: "empty" }) },
  });
  const { text: key } = await api.givenKey();
  const { text: live } = await api.givenKey({ environment: "live" });

  for (const q of ["test:error:", "test:error:nonsense", "test:error:constructor"]) {
    const { status, body } = await api.create(key, { q });
    assert.equal(status, 400, q);
    assert.match(body["error"].details[0], /^\/input\/q: test:error: must be followed by one of invalid_request,/);
  }
  assert.equal((await api.searchAs(key, { q: "Test:Error:Not_Found" })).status, 404);
  assert.equal((await api.searchAs(live, { q: "test:error:not_found" })).status, 200);
});
