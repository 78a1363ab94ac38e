import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, createRouter, Outlet, redirect } from "@tanstack/react-router";
import { isOutage } from "./api/problem.ts";
import { sessionQuery } from "./api/session.ts";
import { NoSession } from "./layout/no-session.tsx";
import { Shell } from "./layout/shell.tsx";
import { CatalogPage } from "./pages/catalog.tsx";
import { CollectionPage } from "./pages/collection.tsx";
import { CollectionsPage } from "./pages/collections.tsx";
import { ExportsPage } from "./pages/exports.tsx";
import { HomePage } from "./pages/home.tsx";
import { JobPage } from "./pages/job.tsx";
import { JobsPage, jobStatuses } from "./pages/jobs.tsx";
import { JoinPage } from "./pages/join.tsx";
import { KeysPage } from "./pages/keys.tsx";
import { NewCollectionPage } from "./pages/new-collection.tsx";
import { NotFoundPage, UnreadableAddressPage } from "./pages/not-found.tsx";
import { PlaygroundPage } from "./pages/playground.tsx";
import { SettingsPage } from "./pages/settings.tsx";
import { SignInPage } from "./pages/sign-in.tsx";
import { UsagePage } from "./pages/usage.tsx";
import { WebhookPage } from "./pages/webhook.tsx";
import { WebhooksPage } from "./pages/webhooks.tsx";
import { Failure } from "./parts/failure.tsx";

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  errorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
  notFoundComponent: UnreadableAddressPage,
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  // What is not valid is undefined and not left out: the router would put the address bar's own value there.
  validateSearch({ next, problem }): { next?: string | undefined; problem?: string | undefined } {
    return {
      next: typeof next === "string" && /^\/(?![/\\])/.test(next) ? next : undefined,
      problem: typeof problem === "string" ? problem : undefined,
    };
  },
  component: SignInPage,
});

const joinRoute = createRoute({ getParentRoute: () => rootRoute, path: "/join", component: JoinPage });

/** Everything behind the sign-in. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  async beforeLoad({ context, location }) {
    try {
      await context.queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (isOutage(error)) throw error;
      throw redirect({ to: "/sign-in", search: { next: location.href } });
    }
  },
  component: Shell,
  errorComponent: ({ error, reset }) =>
    isOutage(error) ? <NoSession error={error} /> : <Failure error={error} onRetry={reset} />,
});

const homeRoute = createRoute({ getParentRoute: () => shellRoute, path: "/", component: HomePage });

const playgroundRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/playground",
  component: PlaygroundPage,
});

const jobsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/jobs",
  validateSearch(search): { status?: (typeof jobStatuses)[number] | undefined } {
    return { status: jobStatuses.find((known) => known === search["status"]) };
  },
  component: JobsPage,
});

const jobRoute = createRoute({ getParentRoute: () => shellRoute, path: "/jobs/$jobId", component: JobPage });

const collectionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/collections",
  component: CollectionsPage,
});

const newCollectionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/collections/new",
  component: NewCollectionPage,
});

const collectionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/collections/$collectionId",
  component: CollectionPage,
});

const exportsRoute = createRoute({ getParentRoute: () => shellRoute, path: "/exports", component: ExportsPage });

const webhooksRoute = createRoute({ getParentRoute: () => shellRoute, path: "/webhooks", component: WebhooksPage });

const webhookRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/webhooks/$endpointId",
  component: WebhookPage,
});

const keysRoute = createRoute({ getParentRoute: () => shellRoute, path: "/keys", component: KeysPage });

const usageRoute = createRoute({ getParentRoute: () => shellRoute, path: "/usage", component: UsagePage });

const catalogRoute = createRoute({ getParentRoute: () => shellRoute, path: "/catalog", component: CatalogPage });

const settingsRoute = createRoute({ getParentRoute: () => shellRoute, path: "/settings", component: SettingsPage });

const notFoundRoute = createRoute({ getParentRoute: () => shellRoute, path: "$", component: NotFoundPage });

const routeTree = rootRoute.addChildren([
  signInRoute,
  joinRoute,
  shellRoute.addChildren([
    homeRoute,
    playgroundRoute,
    jobsRoute,
    jobRoute,
    collectionsRoute,
    newCollectionRoute,
    collectionRoute,
    exportsRoute,
    webhooksRoute,
    webhookRoute,
    keysRoute,
    usageRoute,
    catalogRoute,
    settingsRoute,
    notFoundRoute,
  ]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({ routeTree, basepath: "/console", context: { queryClient }, defaultPreload: "intent" });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
