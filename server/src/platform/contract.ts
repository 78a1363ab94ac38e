/** The version of every body this service sends. */
export const schemaVersion = "2026-09-22";

/** Where the resources of the API are: links to them begin with it. */
export const basePath = "/api/v1";
