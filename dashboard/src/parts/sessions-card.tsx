import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { revokeOtherSessions, revokeSession, sessionsQuery } from "../api/members.ts";
import { browserOf } from "./browser.ts";
import { Failure } from "./failure.tsx";
import { Loading } from "./loading.tsx";
import { Time } from "./time.tsx";

/** Where a person is signed in, and how to end it. */
export function SessionsCard() {
  const queryClient = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => queryClient.invalidateQueries(sessionsQuery),
  });
  return (
    <section className="card">
      <div className="row between">
        <h2>Your sessions</h2>
        <button type="button" className="button" onClick={() => end.mutate(revokeOtherSessions)}>
          End all others
        </button>
      </div>
      {end.isError && <Failure error={end.error} />}
      {sessions.isError && <Failure error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {sessions.isPending && <Loading rows={2} />}
      <ul className="stack">
        {sessions.data?.map((session) => (
          <li key={session.id} className="row between">
            <div>
              <strong title={session.user_agent}>{browserOf(session.user_agent)}</strong>
              <div className="faint">
                {session.address} · last used <Time at={session.last_seen_at} />
              </div>
            </div>
            {session.is_current ? (
              <span className="badge good">this one</span>
            ) : (
              <button type="button" className="button" onClick={() => end.mutate(() => revokeSession(session.id))}>
                End
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
