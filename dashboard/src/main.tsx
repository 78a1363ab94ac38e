import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { onSignedOut, onSwitched } from "./api/client.ts";
import { askToSignInAgain, hasTyped } from "./api/ended-session.ts";
import { EnvironmentProvider } from "./api/environment.tsx";
import { Problem } from "./api/problem.ts";
import { recoverFromOutages } from "./api/recovery.ts";
import { followSwitch, isHeld } from "./api/session.ts";
import { createAppRouter } from "./router.tsx";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/parts.css";
import "./styles/phone-tables.css";
import "./styles/pages.css";
import "./styles/collections.css";
import "./styles/forced-colors.css";

const queryClient = new QueryClient({
  defaultOptions: {
    // A browser that believes itself offline must not leave a person waiting: the call fails, and says so.
    mutations: { networkMode: "always" },
    queries: {
      // What the service calls final stays final; the rest is tried twice more.
      retry: (failures, error) => failures < 2 && (!(error instanceof Problem) || error.retryable),
      staleTime: 5_000,
      networkMode: "always",
      refetchOnReconnect: true, // which the mode above would turn off
    },
  },
});
recoverFromOutages(queryClient);
const router = createAppRouter(queryClient);

// A new page, so that nothing of the ended session stays in memory. What was typed would go with it, and so would a secret
// that is shown: the page then stays until its person is back, or has stored the secret.
onSignedOut(() => {
  const { pathname, href } = router.state.location;
  if (pathname === "/sign-in" || pathname === "/join" || isHeld()) return;
  if (hasTyped()) return askToSignInAgain();
  location.assign(`/console/sign-in?${new URLSearchParams({ next: href })}`);
});

// The browser may have kept the page from before a sign-out, with everything on it.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

onSwitched(() => followSwitch(queryClient));

const root = document.querySelector("#root");
if (!root) throw new Error("the page has no root element");
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <EnvironmentProvider>
          <RouterProvider router={router} />
        </EnvironmentProvider>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
