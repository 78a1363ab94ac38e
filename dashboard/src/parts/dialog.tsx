import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { isWaitingForSignIn } from "../api/ended-session.ts";

type DialogProps = {
  isOpen: boolean;
  onClose(): void;
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  /** False when only a control inside may end it; otherwise Escape, a click outside and the cross close it. */
  isDismissible?: boolean;
  /** What has the focus first; otherwise the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** False when the focus goes elsewhere afterwards; otherwise it returns to what had it before. */
  finalFocus?: () => boolean;
};

/** A window over the page with one question or one form in it. */
export function Dialog({
  isOpen,
  onClose,
  title,
  lead,
  children,
  isDismissible = true,
  initialFocus,
  finalFocus,
}: DialogProps) {
  // Whoever signs in again over it clicks outside, and means to go on with it.
  const mayClose = () => isDismissible && !isWaitingForSignIn();
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open) => !open && mayClose() && onClose()}
      disablePointerDismissal={!isDismissible}
    >
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Popup className="dialog" initialFocus={initialFocus} finalFocus={finalFocus}>
          <div className="dialog-head">
            <Base.Title>{title}</Base.Title>
            {isDismissible && (
              <Base.Close className="button quiet icon" aria-label="Close">
                <X aria-hidden />
              </Base.Close>
            )}
          </div>
          {lead && <Base.Description className="soft">{lead}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
