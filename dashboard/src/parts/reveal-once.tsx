import { useQueryClient } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import { useEffect } from "react";
import { holdPage } from "../api/session.ts";
import { CopyButton } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";

type RevealOnceProps = { title: string; lead: string; secret: string | undefined; onClose(): void };

/** A secret that is shown this once: it stays until its reader says that it is stored, and so does the page. */
export function RevealOnce({ title, lead, secret, onClose }: RevealOnceProps) {
  const isOpen = secret !== undefined;
  const queryClient = useQueryClient();
  useEffect(() => (isOpen ? holdPage(queryClient) : undefined), [isOpen, queryClient]);
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true, disabled: !isOpen });
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} lead={lead} isDismissible={false}>
      <pre className="code secret" data-testid="secret">
        {secret}
      </pre>
      <div className="notice warn">
        <strong>Store it now.</strong> It is not kept in a form that can be shown again.
      </div>
      <div className="row end">
        <CopyButton text={secret ?? ""} />
        <button type="button" className="button primary" onClick={onClose}>
          I have stored it
        </button>
      </div>
    </Dialog>
  );
}
