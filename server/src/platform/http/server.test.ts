import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { fastify, type FastifyReply } from "fastify";
import { whenClientIsGone } from "./server.ts";

const get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

type Visit = { reply: FastifyReply; socket: Socket };

/** A server whose replies the test gets into its hands, and a connection to it. */
async function connectTo(t: TestContext) {
  const visits: Visit[] = [];
  const { promise: bothCame, resolve } = Promise.withResolvers<void>();
  const app = fastify();
  app.get("/", (request, reply) => {
    if (visits.push({ reply, socket: request.raw.socket }) === 2) resolve();
    return reply.hijack();
  });
  const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  t.after(() => app.close());
  const client = connect(Number(port), "127.0.0.1").on("error", () => undefined);
  t.after(() => client.destroy());
  return { client, visits, bothCame };
}

test("a client that left before anybody asked is gone at once", async (t) => {
  const { client, visits, bothCame } = await connectTo(t);
  client.write(get + get);
  await bothCame;
  const [visit] = visits as [Visit];
  const closed = once(visit.socket, "close");
  client.destroy();
  await closed;

  assert.equal(whenClientIsGone(visit.reply).aborted, true);
});

test("a client that leaves is gone for each of the requests it sent ahead", async (t) => {
  const { client, visits, bothCame } = await connectTo(t);
  client.write(get + get);
  await bothCame;
  const signals = visits.map(({ reply }) => whenClientIsGone(reply));
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [false, false],
  );

  const closed = once((visits as [Visit])[0].socket, "close");
  client.end();
  await closed;

  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, true],
  );
});
