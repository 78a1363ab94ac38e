import {
  deliveryHeaderSchemas,
  type EventName,
  eventDefinitions,
  eventNames,
  exampleBody,
  schemaId,
} from "../../domains/webhooks/index.ts";
import { deliveryTraceparent } from "./traceparent.ts";

/** The `webhooks` section of the OpenAPI document: one request for each event, as a receiver gets it. */
export function webhooksSection() {
  return Object.fromEntries(eventNames.map((name) => [name, { post: webhookOperation(name) }]));
}

function webhookOperation(name: EventName) {
  return {
    operationId: `receive${schemaId(name)}`,
    summary: `${name} is delivered`,
    description: eventDefinitions[name].description,
    tags: ["Webhooks"],
    security: [],
    parameters: [
      ...Object.entries(deliveryHeaderSchemas).map(([header, { description, example, ...schema }]) => ({
        name: header,
        in: "header" as const,
        required: true,
        description,
        schema,
        example,
      })),
      deliveryTraceparent,
    ],
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${schemaId(name)}` },
          example: exampleBody(name),
        },
      },
    },
    responses: {
      "2XX": { description: "Acknowledges the delivery; the body is ignored." },
      "410": { description: "Disables the endpoint." },
      default: { description: "A failed attempt; it is retried on schedule. Redirects are not followed." },
    },
  };
}
