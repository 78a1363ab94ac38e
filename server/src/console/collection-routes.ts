import { Type } from "../platform/schema.ts";
import { type Collections, EstimateCollection } from "../domains/collections/index.ts";
import { principalOf } from "../domains/members/index.ts";
import type { HttpServer } from "../platform/http/server.ts";

/** A polygon of 10,000 points with all their digits. */
const bodyLimit = 1024 * 1024;
const Environment = Type.Object({ environment: Type.Enum(["live", "test"]) });

/** What a collection would take, before anybody starts it. */
export function collectionRoutes(app: HttpServer, collections: Collections) {
  app.post("/estimates/:environment", {
    bodyLimit,
    schema: { params: Environment, body: EstimateCollection },
    config: { role: "member" },
    async handler({ signedIn, params, body }) {
      const principal = principalOf(signedIn, params.environment);
      const { bounds, units, businesses, isComplete } = await collections.estimate(principal, body);
      return { bounds, units, businesses, is_complete: isComplete };
    },
  });
}
