// The barest program that reads a job by its id: one route, one prepared statement.
import { fastify } from "fastify";
import pg from "pg";
import { uuidFromId } from "../server/src/platform/ids.ts";

const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 16 });
const app = fastify({ logger: false });
app.get<{ Params: { id: string } }>("/scrapes/:id", async (request) => {
  const { rows } = await pool.query({
    name: "read",
    text: "select id, operation, status, completed_queries, total_queries, error_code, created_at from scrapes where id = $1",
    values: [uuidFromId("job", request.params.id)],
  });
  return { data: rows[0] };
});
const address = await app.listen({ host: "127.0.0.1", port: 0 });
console.log(`ready at ${address}`);
process.once("SIGTERM", () => process.exit(0));
