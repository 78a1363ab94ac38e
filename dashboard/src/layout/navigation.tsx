import { Link } from "@tanstack/react-router";
import {
  ChartColumn,
  Database,
  FileDown,
  Grid2x2Check,
  House,
  KeyRound,
  ListChecks,
  Search,
  Settings,
  Webhook,
} from "lucide-react";

/** The pages of the dashboard, in the order people need them. */
const items = [
  { to: "/", label: "Overview", Icon: House },
  { to: "/playground", label: "Playground", Icon: Search },
  { to: "/jobs", label: "Jobs", Icon: ListChecks },
  { to: "/collections", label: "Collections", Icon: Grid2x2Check },
  { to: "/exports", label: "Exports", Icon: FileDown },
  { to: "/webhooks", label: "Webhooks", Icon: Webhook },
  { to: "/keys", label: "API keys", Icon: KeyRound },
  { to: "/usage", label: "Usage", Icon: ChartColumn },
  { to: "/catalog", label: "Catalog", Icon: Database },
  { to: "/settings", label: "Settings", Icon: Settings },
] as const;

export function Navigation({ onNavigate }: { onNavigate(): void }) {
  return (
    <nav className="nav" aria-label="Pages">
      {items.map(({ to, label, Icon }) => (
        <Link key={to} to={to} activeOptions={{ exact: to === "/" }} onClick={onNavigate}>
          <Icon aria-hidden />
          {label}
        </Link>
      ))}
    </nav>
  );
}
