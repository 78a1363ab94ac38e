import type { TSchema } from "typebox";
import { Type } from "../../../platform/schema.ts";
import { SchemaVersion } from "../../../platform/http/envelope.ts";
import { idPattern } from "../../../platform/ids.ts";
import { eventVersion } from "./event.ts";
import { eventDefinitions, type EventName, eventNames } from "./event-types.ts";
import { eventData, eventDataIds } from "./schemas.ts";

/** The body of each event, by its name. */
export const eventBodySchemas = Object.fromEntries(eventNames.map((name) => [name, bodySchema(name)])) as Record<
  EventName,
  ReturnType<typeof bodySchema>
>;

/** Everything above as named schemas, for the OpenAPI document. */
export const eventSchemas: TSchema[] = [...Object.values(eventData), ...Object.values(eventBodySchemas)];

function bodySchema(name: EventName) {
  const { resourceTypes, description } = eventDefinitions[name];
  const data = resourceTypes.map((type) => Type.Ref(eventDataIds[type]));
  return Type.Object(
    {
      id: Type.String({ format: "uuid", description: "The same on every attempt: deduplicate by it." }),
      type: Type.Literal(name),
      event_version: Type.Literal(eventVersion),
      schema_version: SchemaVersion,
      created_at: Type.String({ format: "date-time" }),
      organization_id: Type.String({ format: "uuid" }),
      request_id: Type.String({ pattern: idPattern("req"), description: "The request that the event goes back to." }),
      resource: Type.Object(
        {
          type: Type.Enum(Array.from<string>(resourceTypes)),
          id: Type.String({ format: "uuid", description: "The UUID behind the resource's id." }),
          sequence: Type.String({ pattern: "^[1-9][0-9]*$", description: "As in data, as text." }),
        },
        { additionalProperties: false },
      ),
      data: data.length === 1 && data[0] ? data[0] : Type.Union(data),
    },
    { $id: schemaId(name), description, additionalProperties: false },
  );
}

/** `scrape.started` is `ScrapeStartedEvent`. */
export function schemaId(name: EventName): string {
  const words = name.split(".").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}
