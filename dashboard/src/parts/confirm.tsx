import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { ActionButton } from "./action-button.tsx";
import { Dialog } from "./dialog.tsx";
import { Failure } from "./failure.tsx";

/** Something that cannot be undone: what it is, what follows from it, the work itself, and what the page does then. */
export type Question = {
  title: string;
  lead: string;
  verb: string;
  work(): Promise<unknown>;
  afterwards?(): Promise<unknown>;
};

type ConfirmProps = { question: Question | undefined; onClose(): void };

/** Asks before the work is done. Enter alone leaves everything as it is, because the way back has the focus. */
export function Confirm({ question, onClose }: ConfirmProps) {
  const back = useRef<HTMLButtonElement>(null);
  const isDone = useRef(false);
  const queryClient = useQueryClient();
  const run = useMutation({
    mutationFn: ({ work }: Question) => work(),
    // It may have been done although its answer was lost: the page shows how things are.
    onError: () => queryClient.invalidateQueries(),
    onSuccess(_done, { afterwards }) {
      isDone.current = true;
      onClose();
      return afterwards?.();
    },
  });

  function close() {
    run.reset();
    onClose();
  }

  // The button that asked goes away with the thing that it ended; the content stays.
  function returnsFocus() {
    if (!isDone.current) return true;
    isDone.current = false;
    queueMicrotask(() => document.querySelector<HTMLElement>("#content")?.focus());
    return false;
  }

  return (
    <Dialog
      isOpen={question !== undefined}
      onClose={close}
      title={question?.title ?? ""}
      lead={question?.lead}
      initialFocus={back}
      finalFocus={returnsFocus}
    >
      {run.isError && <Failure error={run.error} />}
      <div className="row end">
        <button ref={back} type="button" className="button" onClick={close}>
          Go back
        </button>
        <ActionButton
          type="button"
          className="button danger"
          isBusy={run.isPending}
          onClick={() => question && run.mutate(question)}
        >
          {question?.verb}
        </ActionButton>
      </div>
    </Dialog>
  );
}
