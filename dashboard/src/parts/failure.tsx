import { Problem } from "../api/problem.ts";

/** What went wrong, in the service's own words, and what to do about it. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const message = error instanceof Error ? error.message : "Something went wrong.";
  const problem = error instanceof Problem ? error : undefined;
  return (
    <div className="notice bad" role="alert">
      <strong>{message}</strong>
      {problem?.details.map((detail) => (
        <span key={detail}>{detail}</span>
      ))}
      {problem?.requestId && <span className="faint">Request {problem.requestId}</span>}
      {onRetry && (
        <div>
          <button type="button" className="button" onClick={onRetry}>
            Try again
          </button>
        </div>
      )}
    </div>
  );
}
