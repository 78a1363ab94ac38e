import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useLayoutEffect, useRef } from "react";
import { read } from "../api/client.ts";
import { goOn, useIsWaitingForSignIn } from "../api/ended-session.ts";
import { holdPage, type Session, sessionQuery } from "../api/session.ts";
import { ActionButton } from "../parts/action-button.tsx";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { text } from "../parts/forms.ts";
import { ProviderSignIn } from "../parts/provider-sign-in.tsx";

/**
 * Asks for the password over a page whose session has ended while something was typed on it. The page is out of sight
 * meanwhile, and goes on for the same person in the same organization alone.
 */
export function SignInAgain() {
  return useIsWaitingForSignIn() && <SignInDialog />;
}

function SignInDialog() {
  const { data: shown } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const dialog = useModal();
  // What other tabs do meanwhile must not replace the page.
  useEffect(() => holdPage(queryClient), [queryClient]);
  const resume = useMutation({
    async mutationFn(): Promise<void> {
      if (!(await actAs(shown))) return location.assign("/console/");
      goOn();
      void queryClient.invalidateQueries();
    },
  });
  const signIn = useMutation({
    mutationFn: (body: { email: string; password: string }) => read("/session", { body }),
    onSuccess: () => resume.mutateAsync(),
  });

  // They may have signed in in another tab.
  const { mutate: resumeIfPossible } = resume;
  useEffect(() => {
    const look = () => resumeIfPossible();
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, [resumeIfPossible]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    signIn.mutate({ email: text(form, "email"), password: text(form, "password") });
  }

  return (
    <dialog
      ref={dialog}
      className="dialog sign-in-again"
      aria-labelledby="sign-in-again"
      onCancel={(event) => event.preventDefault()}
      onClose={({ currentTarget }) => currentTarget.showModal()} // browsers let Escape close it the second time
    >
      <h2 id="sign-in-again">Your session has ended</h2>
      <p className="soft">Sign in again to go on. What you typed is kept on this page.</p>
      <form className="stack" onSubmit={submit}>
        {signIn.isError && <Failure error={signIn.error} />}
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={shown.person.email}
        />
        <Field label="Password" name="password" type="password" autoComplete="current-password" required />
        <ActionButton className="button primary" isBusy={signIn.isPending}>
          {signIn.isPending ? "Signing in…" : "Sign in and go on"}
        </ActionButton>
      </form>
      <ProviderSignIn isElsewhere />
      <a href="/console/sign-in">Leave the page</a>
    </dialog>
  );
}

/** Lets the new session act for the organization that the page shows; false when it is another person's. */
async function actAs({ person, organization }: Session): Promise<boolean> {
  const session = await read<Session>("/session", { isForAnybody: true });
  if (session.person.id !== person.id) return false;
  if (session.organization.id !== organization.id) {
    await read("/session/organization", { body: { organization_id: organization.id }, isForAnybody: true });
  }
  return true;
}

/** A dialog of the browser's own, above those of the page, which stay as they are. Afterwards the focus is where it was. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { documentElement, activeElement } = document;
    const modal = dialog.current;
    modal?.showModal();
    modal?.querySelector<HTMLElement>('[type="password"]')?.focus();
    documentElement.dataset["waiting"] = "";
    return () => {
      delete documentElement.dataset["waiting"];
      modal?.close();
      if (activeElement instanceof HTMLElement) activeElement.focus();
    };
  }, []);
  return dialog;
}
