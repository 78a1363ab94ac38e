import { useSuspenseQuery } from "@tanstack/react-query";
import { sessionQuery } from "../api/session.ts";

export function HomePage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <div className="page-head">
      <div>
        <h1>Good to see you, {session.person.name.split(" ")[0]}</h1>
        <p>{session.organization.name}</p>
      </div>
    </div>
  );
}
