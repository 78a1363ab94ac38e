import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** What a page shows before there is anything: what it is for, and the first step. */
export function Empty({ Icon, title, children }: { Icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <div className="empty">
      <Icon aria-hidden />
      <h2>{title}</h2>
      {children}
    </div>
  );
}
