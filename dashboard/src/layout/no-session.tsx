import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { sessionQuery } from "../api/session.ts";
import { Failure } from "../parts/failure.tsx";
import { LoneCard } from "./lone-card.tsx";

/**
 * Nobody could say who is signed in. While the session's query is watched, recovery reads it again; then the page that
 * was wanted loads anew, since nothing of it was there yet.
 */
export function NoSession({ error }: { error: unknown }) {
  const { data } = useQuery({ ...sessionQuery, retryOnMount: false });
  useEffect(() => {
    document.title = "Waypost is away";
  }, []);
  useEffect(() => {
    if (data) location.reload();
  }, [data]);

  return (
    <LoneCard title="Waypost is away" lead="The page comes by itself when the service answers.">
      <Failure error={error} onRetry={() => location.reload()} />
    </LoneCard>
  );
}
