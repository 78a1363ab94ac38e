import { type RefObject, useEffect } from "react";

/** A dialog that closes leads the focus back itself, a moment later. */
const patienceMs = 100;

/**
 * Leads the focus to the content when what had it is gone, such as the button of a row that was removed. Otherwise keys and
 * screen readers would begin at the top of the page again.
 */
export function useFocusKeeper(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Element | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const remember = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : undefined;
    };
    // Whoever clicks beside everything takes the focus away on purpose.
    const forget = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if (last === target && last?.isConnected) last = undefined;
      });
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected) return;
      clearTimeout(timer);
      timer = setTimeout(keep, patienceMs);
    });

    function keep() {
      if (document.activeElement !== document.body || document.querySelector('[role="dialog"]')) return;
      last = undefined;
      content.current?.focus();
    }

    document.addEventListener("focusin", remember);
    document.addEventListener("focusout", forget);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", remember);
      document.removeEventListener("focusout", forget);
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [content]);
}
