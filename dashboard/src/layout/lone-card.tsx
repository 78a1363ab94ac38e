import type { ReactNode } from "react";

/** A page with one thing to do, outside the shell. */
export function LoneCard({ title, lead, children }: { title: string; lead: string; children?: ReactNode }) {
  return (
    <main className="lone">
      <div className="lone-card">
        <div className="brand">
          <img src="/console/waypost.svg" alt="" />
          Waypost
        </div>
        <div className="stack">
          <h1>{title}</h1>
          {lead && <p className="soft">{lead}</p>}
        </div>
        {children}
      </div>
    </main>
  );
}
