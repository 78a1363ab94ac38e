// The barest program that sends the same bytes.
import { fastify } from "fastify";

const body = process.env["BARE_ROUTE_BODY"] ?? "";
const app = fastify({ logger: false });
app.post("/api/v1/search", async (_request, reply) => {
  reply.header("Content-Type", "application/json; charset=utf-8");
  return body;
});
const address = await app.listen({ host: "127.0.0.1", port: 0 });
console.log(`ready at ${address}`);
process.once("SIGTERM", () => process.exit(0));
