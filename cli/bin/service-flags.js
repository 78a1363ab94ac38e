/** What Node is to run the service with: left to itself, V8 lets the young space grow to 128 MB. */
export const serviceFlags = ["--max-semi-space-size=32"];
