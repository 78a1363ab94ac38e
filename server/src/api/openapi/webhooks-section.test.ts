import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { startWebhooks } from "../../../test/webhooks.ts";
import { eventNames } from "../../domains/webhooks/index.ts";

type Operation = {
  parameters: { name: string; required: boolean; schema: object; example: string }[];
  requestBody: { content: { "application/json": { schema: object; example: object } } };
};

test("the document has every event with a body and headers that its example and real deliveries keep to", async (t) => {
  const { call, send, dispatcher, receiver, givenEndpoint, givenEvent } = await startWebhooks(t);
  const { body: document } = await call("/api/v1/openapi.json");
  const { id, uuid } = await givenEndpoint();
  await givenEvent(uuid);
  await send("POST", `/webhook-endpoints/${id}/test`);
  await dispatcher.drain();
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "openapi", components: document["components"] });
  const assertValid = (schema: object, value: unknown) => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')));
    assert.ok(validate(value), JSON.stringify([validate.errors, value]));
  };

  assert.deepEqual(Object.keys(document["webhooks"]), eventNames);
  for (const { post } of Object.values(document["webhooks"] as Record<string, { post: Operation }>)) {
    const { schema, example } = post.requestBody.content["application/json"];
    assertValid(schema, example);
    for (const header of post.parameters) assertValid(header.schema, header.example);
  }
  assert.deepEqual(receiver.received.map(({ body }) => String(body["type"])).toSorted(), [
    "scrape.started",
    "webhook.test",
  ]);
  for (const { headers, body } of receiver.received) {
    const { post } = document["webhooks"][body["type"]] as { post: Operation };
    assertValid(post.requestBody.content["application/json"].schema, body);
    const always = post.parameters.filter(({ required }) => required);
    for (const { name, schema } of always) assertValid(schema, headers[name.toLowerCase()]);
    const signed = Object.keys(headers).filter((name) => /^(x-svc|webhook)-/.test(name));
    assert.deepEqual(signed.toSorted(), always.map(({ name }) => name.toLowerCase()).toSorted());
    const optional = post.parameters.filter(({ required }) => !required).map(({ name }) => name);
    assert.deepEqual(optional, ["traceparent"]);
  }
});
