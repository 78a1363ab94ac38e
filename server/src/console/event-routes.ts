import { Type } from "../platform/schema.ts";
import type { Members } from "../domains/members/index.ts";
import { type EventStreams, plainFrames, ResumeHeader, sinkOf } from "../domains/webhooks/index.ts";
import type { HttpServer } from "../platform/http/server.ts";
import { readSessionCookie } from "./session-cookie.ts";

type EventRoutesDeps = { members: Members; consoleStreams: EventStreams };

/** What happens to the organization's live jobs, collections and exports, as it happens and afterwards. */
export function eventRoutes(app: HttpServer, { members, consoleStreams }: EventRoutesDeps) {
  // Before the server waits for its connections to end: a stream would never end by itself.
  app.addHook("preClose", () => consoleStreams.stop());

  app.get("/events", {
    exposeHeadRoute: false,
    schema: { headers: ResumeHeader },
    config: { role: "viewer" },
    async handler(request, reply) {
      const { organizationId } = request.signedIn;
      const cookie = readSessionCookie(request);
      consoleStreams.start({
        organizationId,
        lastEventId: request.headers["last-event-id"]?.toString(),
        frames: plainFrames,
        // A session that has ended, or acts for another organization meanwhile, reads no further.
        isAllowed: () =>
          members.sessions.require(cookie).then(
            (signedIn) => signedIn.organizationId === organizationId,
            () => false,
          ),
        sink: sinkOf(reply),
      });
      reply.hijack();
    },
  });

  app.get("/events/:resourceId", {
    schema: { params: Type.Object({ resourceId: Type.String() }) },
    config: { role: "viewer" },
    handler: ({ signedIn, params }) => consoleStreams.history(signedIn.organizationId, params.resourceId),
  });
}
