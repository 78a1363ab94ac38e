import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { changePassword, sessionsQuery } from "../api/members.ts";
import { Problem } from "../api/problem.ts";
import { ActionButton } from "./action-button.tsx";
import { Failure } from "./failure.tsx";
import { Field } from "./field.tsx";
import { text } from "./forms.ts";

/** Where a person changes their own password. */
export function PasswordCard() {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: () => queryClient.invalidateQueries(sessionsQuery),
  });
  const problem = change.error instanceof Problem ? change.error : undefined;
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    // What was typed does not stay on the page.
    change.mutate({ current: text(form, "current"), next: text(form, "next") }, { onSuccess: () => element.reset() });
  }
  return (
    <form className="card" onSubmit={submit}>
      <h2>Your password</h2>
      {change.isError && !problem?.details.length && <Failure error={change.error} />}
      <Field
        label="Current password"
        name="current"
        type="password"
        autoComplete="current-password"
        required
        problem={problem?.about("/current")}
      />
      <Field
        label="New password"
        name="next"
        type="password"
        autoComplete="new-password"
        required
        hint="At least 10 characters. Your other sessions end."
        problem={problem?.about("/next")}
      />
      <div className="row">
        <ActionButton className="button" isBusy={change.isPending}>
          Change password
        </ActionButton>
        {change.isSuccess && <span role="status">Changed.</span>}
      </div>
    </form>
  );
}
