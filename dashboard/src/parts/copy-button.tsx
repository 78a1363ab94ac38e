import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";

type Outcome = "copied" | "refused";

/** Copies a text and says so for a moment; when the browser refuses, it says that until the next try. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    if (outcome !== "copied") return undefined;
    const timer = setTimeout(() => setOutcome(undefined), 1_600);
    return () => clearTimeout(timer);
  }, [outcome]);

  function copy() {
    void copyText(text).then(
      () => setOutcome("copied"),
      () => setOutcome("refused"),
    );
  }

  return (
    <>
      <span className="problem" role="status">
        {outcome === "refused" && "The browser did not copy it. Select the text and copy it by hand."}
      </span>
      <button type="button" className="button" onClick={copy}>
        {outcome === "copied" ? <Check aria-hidden /> : <Copy aria-hidden />}
        <span aria-live="polite">{outcome === "copied" ? "Copied" : label}</span>
      </button>
    </>
  );
}

/** The clipboard's own interface exists on HTTPS and localhost only; elsewhere a selected field is copied. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (!isCopied) throw new Error("the browser copies nothing");
}
