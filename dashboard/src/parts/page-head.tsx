import { type ReactNode, useEffect } from "react";

/** The title of a page, on the page and in the browser's tab, with what can be done there. */
export function PageHead({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Waypost`;
  }, [title]);
  return (
    <div className="page-head">
      <div>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {lead && <p>{lead}</p>}
      </div>
      {children && <div className="row">{children}</div>}
    </div>
  );
}
