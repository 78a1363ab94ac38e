import { hasCeiling, type Usage } from "../api/usage.ts";
import { Time } from "./time.tsx";

/** How much of the month's allowance is used. */
export function Meter({ usage: { allowance, used, remaining, resets_at: resetsAt } }: { usage: Usage }) {
  const isLimited = hasCeiling(allowance);
  return (
    <div className="card">
      <dl className="row stats">
        <div className="stat">
          <dt>Used this month</dt>
          <dd>{used.toLocaleString()}</dd>
        </div>
        {isLimited && (
          <div className="stat">
            <dt>Remaining</dt>
            <dd>{remaining.toLocaleString()}</dd>
          </div>
        )}
        <div className="stat">
          <dt>Allowance</dt>
          <dd>{isLimited ? allowance.toLocaleString() : "No ceiling"}</dd>
        </div>
        <div className="stat">
          <dt>Resets</dt>
          <dd>
            <Time at={resetsAt} />
          </dd>
        </div>
      </dl>
      {isLimited && (
        <progress className="meter" max={Math.max(1, allowance)} value={used} aria-label="Used of the allowance" />
      )}
      {remaining === 0 && (
        <p className="notice warn">
          The allowance is used up: live searches and jobs answer 402 until it resets, or until an operator raises it
          with <code>npx waypost org set --allowance</code>.
        </p>
      )}
    </div>
  );
}
