import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect } from "react";
import { read } from "../api/client.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { text } from "../parts/forms.ts";
import { ProviderProblem, ProviderSignIn } from "../parts/provider-sign-in.tsx";
import { LoneCard } from "../layout/lone-card.tsx";

const route = getRouteApi("/sign-in");

export function SignInPage() {
  const { next, problem } = route.useSearch();
  const router = useRouter();
  const queryClient = useQueryClient();
  const signIn = useMutation({
    mutationFn: (body: { email: string; password: string }) => read("/session", { body }),
    async onSuccess() {
      await queryClient.invalidateQueries();
      router.history.push(next ? `/console${next}` : "/console/");
    },
  });
  useEffect(() => {
    document.title = "Sign in · Waypost";
  }, []);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    signIn.mutate({ email: text(form, "email"), password: text(form, "password") });
  }

  return (
    <LoneCard title="Sign in" lead="Search businesses, watch jobs, manage keys and webhooks.">
      {problem !== undefined && !signIn.isError && <ProviderProblem problem={problem} />}
      <form className="stack" onSubmit={submit}>
        {signIn.isError && <Failure error={signIn.error} />}
        <Field label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
        <Field label="Password" name="password" type="password" autoComplete="current-password" required />
        <ActionButton className="button primary" isBusy={signIn.isPending}>
          {signIn.isPending ? "Signing in…" : "Sign in"}
        </ActionButton>
      </form>
      <ProviderSignIn next={next} />
      <p className="faint">
        No account yet? The first start of the service printed a link for the first owner; an owner invites everyone
        else. Lost it? <code>npx waypost users invite</code> makes another.
      </p>
    </LoneCard>
  );
}
