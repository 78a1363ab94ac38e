import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode, RefObject } from "react";

type DialogProps = {
  isOpen: boolean;
  onClose(): void;
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  /** What has the focus first; otherwise the first control. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** False when the focus goes elsewhere afterwards; otherwise it returns to what had it before. */
  finalFocus?: () => boolean;
};

/** A window over the page with one question or one form in it. Escape and a click outside close it. */
export function Dialog({ isOpen, onClose, title, lead, children, initialFocus, finalFocus }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Popup className="dialog" initialFocus={initialFocus} finalFocus={finalFocus}>
          <div className="dialog-head">
            <Base.Title>{title}</Base.Title>
            <Base.Close className="button quiet icon" aria-label="Close">
              <X aria-hidden />
            </Base.Close>
          </div>
          {lead && <Base.Description className="soft">{lead}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
