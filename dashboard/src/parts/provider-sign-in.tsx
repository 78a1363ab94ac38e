import { useQuery } from "@tanstack/react-query";
import { read } from "../api/client.ts";

type Methods = { oidc: { name: string } | null };

const sentences: Readonly<Record<string, string>> = {
  denied: "The sign-in was canceled at the identity provider. Try again, or sign in with your password.",
  stale: "That sign-in took too long or was used already. Start it once more.",
  refused: "The identity provider's answer could not be verified. Try again; if it stays so, tell your operator.",
  unavailable: "The identity provider does not answer. Try again in a minute, or sign in with your password.",
  unverified:
    "The identity provider has not verified your e-mail address. Verify it there, or ask an owner for an invitation link.",
  unknown: "Nobody here has the e-mail address of that account. Ask an owner to invite it, then sign in again.",
  linked:
    "The account of your e-mail address belongs to another person at the identity provider. Ask an owner to release the sign-in of that account (Settings, Members), then sign in again.",
  too_many: "Too many sign-ins failed from your network. Wait a quarter of an hour, then try again.",
};

/** Why a sign-in through the identity provider led back here. Only known sentences are shown, never the address bar's text. */
export function ProviderProblem({ problem }: { problem: string }) {
  return (
    <div className="notice bad" role="alert">
      <strong>{sentences[problem] ?? "The sign-in did not work. Start it once more."}</strong>
    </div>
  );
}

type ProviderSignInProps = {
  next?: string | undefined;
  /** True when this page must stay, so that the way leads through another tab. */
  isElsewhere?: boolean;
};

/** The way in through the identity provider, where one is configured. */
export function ProviderSignIn({ next, isElsewhere = false }: ProviderSignInProps) {
  const methods = useQuery({
    queryKey: ["sign-in-methods"],
    queryFn: ({ signal }) => read<Methods>("/session/methods", { signal }),
    staleTime: Infinity,
  });
  const provider = methods.data?.oidc;
  if (!provider) return null;
  return (
    <div className="stack">
      <p className="divider faint">or</p>
      <a
        className="button"
        href={`/console/api/oidc/start?next=${encodeURIComponent(next ?? "/")}`}
        target={isElsewhere ? "_blank" : undefined}
      >
        Sign in with {provider.name}
        {isElsewhere && " in another tab"}
      </a>
    </div>
  );
}
