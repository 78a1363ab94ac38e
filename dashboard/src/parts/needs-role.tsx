import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { Empty } from "./empty.tsx";

/** Tells a viewer why a page has nothing for them, and who can change that. */
export function NeedsRole({ what }: { what: string }) {
  return (
    <div className="card">
      <Empty Icon={Lock} title="Not with your role">
        <p>
          You are a viewer here, and viewers read jobs, collections and results. {what} the role of a member, which an
          owner can give you.
        </p>
        <Link to="/settings" className="button">
          Who the owners are
        </Link>
      </Empty>
    </div>
  );
}
