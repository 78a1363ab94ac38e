/** Rows of about the height of what comes, so that nothing jumps when it does. */
export function Loading({ rows = 4 }: { rows?: number }) {
  return (
    <div className="card stack" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton" />
      ))}
    </div>
  );
}
