import type { Collection, CollectionCell } from "../api/collections.ts";
import { type Share, sharesOf, stateNames } from "./cell-states.ts";

const radius = 52;
const round = 2 * Math.PI * radius;

type CompletenessProps = { collection: Collection; cells: readonly CollectionCell[] };

/** How much of the area is complete, what it took, and what became of the rest. */
export function Completeness({ collection: { progress, max_units: maxUnits }, cells }: CompletenessProps) {
  const shares = sharesOf(cells);
  const complete = shares.find(({ state }) => state === "done")?.share ?? 0;
  const percent = percentOf(complete);
  const parts = shares.reduce((sum, { cells: count }) => sum + count, 0);
  const whole = shares.find(({ state }) => state === "done")?.cells ?? 0;
  return (
    <section className="card completeness" aria-label="Completeness">
      <div className="ring">
        <svg viewBox="0 0 128 128" role="img" aria-label={`${percent} percent of the area is complete`}>
          <circle cx="64" cy="64" r={radius} className="ring-track" />
          <Arcs shares={shares} />
        </svg>
        <div className="ring-text" aria-hidden>
          <strong>{percent}%</strong>
          <span>of the area</span>
        </div>
      </div>
      <dl className="stats-grid" aria-live="polite">
        <Stat name="Businesses" value={progress.businesses.toLocaleString()} />
        <Stat name="Pages read" value={progress.pages.toLocaleString()} />
        <Stat name="Cells" value={`${whole.toLocaleString()} of ${parts.toLocaleString()}`} />
        <Stat name="Units" value={`${progress.units_charged.toLocaleString()} of ${maxUnits.toLocaleString()}`} />
      </dl>
      <ul className="state-list">
        {shares.map(({ state, cells: count, share }) => (
          <li key={state}>
            <span className={`swatch ${state}`} />
            <span>{stateNames[state]}</span>
            <span className="faint">
              {count.toLocaleString()} {count === 1 ? "cell" : "cells"}, {shown(share)}
            </span>
          </li>
        ))}
      </ul>
      <div className="density faint" aria-hidden>
        <span>few found</span>
        <span className="density-ramp" />
        <span>many</span>
      </div>
      <p className="faint">Choose a cell or a business on the map to see what was found there.</p>
    </section>
  );
}

function Arcs({ shares }: { shares: readonly Share[] }) {
  let start = 0;
  return shares
    .filter(({ state }) => state !== "pending")
    .map(({ state, share }) => {
      const arc = (
        <circle
          key={state}
          cx="64"
          cy="64"
          r={radius}
          className={`ring-arc ${state}`}
          strokeDasharray={`${share * round} ${round}`}
          strokeDashoffset={-start * round}
        />
      );
      start += share;
      return arc;
    });
}

function Stat({ name, value }: { name: string; value: string }) {
  return (
    <div className="stat">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function shown(share: number): string {
  return share > 0 && share < 0.01 ? "under 1%" : `${percentOf(share)}%`;
}

/** Only what is whole is 100. */
function percentOf(share: number): number {
  return share === 1 ? 100 : Math.min(99, Math.round(share * 100));
}
