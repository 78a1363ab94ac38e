import type { ResourceType } from "./schemas.ts";

type EventDefinition = {
  resourceTypes: readonly ResourceType[];
  /** True for an event after which its resource has no other. */
  isLast: boolean;
  description: string;
};

/**
 * Every event there is: what it is about, and when it is sent. Routes, OpenAPI, documents and tests
 * read this table; the `data` of each event follows from its resource type.
 */
export const eventDefinitions = {
  "scrape.started": {
    resourceTypes: ["scrape_job", "collection"],
    isLast: false,
    description: "A worker has begun to collect.",
  },
  "scrape.progress": {
    resourceTypes: ["scrape_job", "collection"],
    isLast: false,
    description: "Stored results or completed queries have grown while collecting goes on.",
  },
  "scrape.completed": {
    resourceTypes: ["scrape_job", "collection"],
    isLast: true,
    description: "Collecting has ended as succeeded or partial; the results can be read.",
  },
  "scrape.failed": {
    resourceTypes: ["scrape_job", "collection"],
    isLast: true,
    description: "Collecting has failed; error_class says why.",
  },
  "scrape.canceled": {
    resourceTypes: ["scrape_job", "collection"],
    isLast: true,
    description: "It was canceled before it had finished.",
  },
  "export.ready": {
    resourceTypes: ["export"],
    isLast: true,
    description: "An export can be downloaded, or has failed; read it to get a download URL.",
  },
  "webhook.test": {
    resourceTypes: ["webhook_endpoint"],
    isLast: false,
    description: "Sent by the test operation alone, to any active endpoint whatever it subscribed to.",
  },
} as const satisfies Record<string, EventDefinition>;

export type EventName = keyof typeof eventDefinitions;
export const eventNames = Object.keys(eventDefinitions) as EventName[];

export const lastEventTypes = eventNames.filter((name) => eventDefinitions[name].isLast);

/** Reserved for the test operation: nobody can subscribe to it. */
export const testEventType = "webhook.test" satisfies EventName;

/** What an endpoint can subscribe to. */
export type EventType = Exclude<EventName, typeof testEventType>;
export const eventTypes = eventNames.filter((name) => name !== testEventType);
export const eventTypesMax = eventTypes.length;

/** The events that a resource of this type can have. */
export type EventNameOf<Resource extends ResourceType> = {
  [Name in EventName]: Resource extends (typeof eventDefinitions)[Name]["resourceTypes"][number] ? Name : never;
}[EventName];
