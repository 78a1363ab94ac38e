import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type OpenSession, revokeOtherSessions, revokeSession, sessionsQuery } from "../api/members.ts";
import { browserOf } from "./browser.ts";
import { Confirm, type Question } from "./confirm.tsx";
import { Failure } from "./failure.tsx";
import { Loading } from "./loading.tsx";
import { Time } from "./time.tsx";

/** Where a person is signed in, and how to end it. */
export function SessionsCard() {
  const queryClient = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const [question, setQuestion] = useState<Question>();

  function ask(about: Omit<Question, "lead">) {
    setQuestion({
      ...about,
      lead: "Whoever uses it has to sign in again; what is not saved there is lost.",
      afterwards: () => queryClient.invalidateQueries(sessionsQuery),
    });
  }

  const askToEndOthers = () =>
    ask({ title: "End all your other sessions?", verb: "End them", work: revokeOtherSessions });
  const askToEnd = ({ id, user_agent: agent }: OpenSession) =>
    ask({ title: `End the session in ${browserOf(agent)}?`, verb: "End session", work: () => revokeSession(id) });

  return (
    <section className="card">
      <div className="row between">
        <h2>Your sessions</h2>
        <button type="button" className="button" onClick={askToEndOthers}>
          End all others
        </button>
      </div>
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
              <button type="button" className="button" onClick={() => askToEnd(session)}>
                End
              </button>
            )}
          </li>
        ))}
      </ul>
      <Confirm question={question} onClose={() => setQuestion(undefined)} />
    </section>
  );
}
