/** Text as it is. A long line scrolls, which must work by keys too. */
export function Code({ text, className = "" }: { text: string; className?: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys
    <pre className={`code ${className}`} tabIndex={0}>
      {text}
    </pre>
  );
}
