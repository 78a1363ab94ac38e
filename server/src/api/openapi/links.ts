type Link = { operationId: string; parameters: Record<string, string>; description: string };

const id = "$response.body#/data/id";

/** What a thing that was made is read and changed by: the operation, what it does, and the name of the id in its path. */
const followers: Readonly<Record<string, { parameter: string; operations: Readonly<Record<string, string>> }>> = {
  createScrape: {
    parameter: "jobId",
    operations: {
      getScrape: "Read the job.",
      getScrapeResults: "Read what it has stored.",
      cancelScrape: "Stop it.",
      deleteScrape: "Delete it.",
    },
  },
  createCollection: {
    parameter: "collectionId",
    operations: {
      getCollection: "Read the collection.",
      getCollectionResults: "Read what it has stored.",
      getCollectionCoverage: "Read where it is complete.",
      pauseCollection: "Pause it.",
      resumeCollection: "Go on with it.",
      cancelCollection: "Stop it.",
      deleteCollection: "Delete it.",
    },
  },
  createExport: {
    parameter: "exportId",
    operations: { getExport: "Read the export, and the address of its file.", deleteExport: "Delete it." },
  },
  createWebhookEndpoint: {
    parameter: "endpointId",
    operations: {
      getWebhookEndpoint: "Read the endpoint.",
      updateWebhookEndpoint: "Change it.",
      deleteWebhookEndpoint: "Delete it.",
      rotateWebhookSecret: "Give it a new secret.",
      sendTestEvent: "Send it a test event.",
      listWebhookDeliveries: "Read what it was sent.",
    },
  },
};

/** The links of a successful answer to an operation; undefined for one that makes nothing. */
export function linksOf(operationId: string | undefined): Record<string, Link> | undefined {
  const made = operationId === undefined ? undefined : followers[operationId];
  if (!made) return undefined;
  const { parameter, operations } = made;
  const links = Object.entries(operations).map(
    ([follower, description]) =>
      [follower, { operationId: follower, parameters: { [parameter]: id }, description }] as const,
  );
  return Object.fromEntries(links);
}
