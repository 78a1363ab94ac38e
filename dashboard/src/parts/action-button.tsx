import type { ComponentProps, MouseEvent } from "react";

type ActionButtonProps = ComponentProps<"button"> & { isBusy: boolean };

/**
 * A button that sends something to the service. Meanwhile it does nothing but keeps the focus, which a disabled one loses;
 * the second half of a double click never counts.
 */
export function ActionButton({ isBusy, onClick, ...button }: ActionButtonProps) {
  function act(event: MouseEvent<HTMLButtonElement>) {
    // Preventing the click keeps a form from being sent, too.
    if (isBusy || event.detail > 1) event.preventDefault();
    else onClick?.(event);
  }
  return <button {...button} aria-disabled={isBusy || undefined} onClick={act} />;
}
