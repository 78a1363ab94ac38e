import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link as PageLink, useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect } from "react";
import { read } from "../api/client.ts";
import { isOutage, Problem } from "../api/problem.ts";
import type { Role } from "../api/session.ts";
import { LoneCard } from "../layout/lone-card.tsx";
import { ActionButton } from "../parts/action-button.tsx";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { ProviderSignIn } from "../parts/provider-sign-in.tsx";

type Link = {
  purpose: "invite" | "reset";
  organization: string;
  email: string | null;
  role: Role | null;
  has_account: boolean;
};

/** Where a one-time link leads: its token stands behind the #, which no server sees. */
export function JoinPage() {
  const token = location.hash.slice(1);
  const link = useQuery({
    queryKey: ["link", token],
    queryFn: ({ signal }) => read<Link>("/links/read", { body: { token }, signal }),
    retry: false,
    enabled: token !== "",
  });
  useEffect(() => {
    document.title = "Welcome · Waypost";
  }, []);

  if (token === "") {
    return (
      <LoneCard
        title="This link is incomplete"
        lead="What follows the # is missing. Open the whole link as it was sent to you, or ask an owner of your organization for a new one; the operator makes one with “npx waypost users invite”."
      />
    );
  }
  if (link.isPending) return <LoneCard title="One moment" lead="Reading your link…" />;
  if (link.isError && isOutage(link.error)) {
    return (
      <LoneCard title="Waypost is away" lead="The page comes by itself when the service answers.">
        <Failure error={link.error} />
      </LoneCard>
    );
  }
  if (link.isError) {
    return (
      <LoneCard title="This link does not work" lead="">
        <Failure error={link.error} />
        <UsedAlready />
      </LoneCard>
    );
  }

  return <JoinForm token={token} link={link.data} />;
}

/** What an invited person, or one who sets a new password, fills in. */
function JoinForm({ token, link }: { token: string; link: Link }) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const accept = useMutation({
    mutationFn: (body: object) => read("/links/accept", { body: { token, ...body } }),
    async onSuccess() {
      await queryClient.resetQueries();
      router.history.replace("/console/"); // the link works no more
    },
  });
  const { purpose, organization, email, role, has_account: hasAccount } = link;
  const problem = accept.error instanceof Problem ? accept.error : undefined;
  const isNew = purpose === "invite" && !hasAccount;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    accept.mutate(Object.fromEntries([...form].filter(([, value]) => value !== "")));
  }

  return (
    <LoneCard
      title={purpose === "reset" ? "Set a new password" : `Join ${organization}`}
      lead={
        purpose === "reset" ? `For ${email}.` : `You are invited as ${role === "owner" ? "an owner" : `a ${role}`}.`
      }
    >
      <form className="stack" onSubmit={submit}>
        {accept.isError && !problem?.details.length && <Failure error={accept.error} />}
        {/* An earlier try may have been done although its answer was lost. */}
        {problem?.code === "not_found" && <UsedAlready />}
        {isNew && (
          <Field label="Your name" name="name" autoComplete="name" required problem={problem?.about("/name")} />
        )}
        {email === null && (
          <Field
            label="E-mail"
            name="email"
            type="email"
            autoComplete="username"
            required
            problem={problem?.about("/email")}
          />
        )}
        <Field
          label={isNew ? "Choose a password" : purpose === "reset" ? "New password" : "Your password"}
          name="password"
          type="password"
          autoComplete={isNew || purpose === "reset" ? "new-password" : "current-password"}
          required
          hint={isNew || purpose === "reset" ? "At least 10 characters. A few words make a good one." : undefined}
          problem={problem?.about("/password")}
        />
        <ActionButton className="button primary" isBusy={accept.isPending}>
          {accept.isPending ? "One moment…" : purpose === "reset" ? "Set password" : "Join"}
        </ActionButton>
      </form>
      {isNew && email !== null && <ProviderSignIn />}
    </LoneCard>
  );
}

function UsedAlready() {
  return (
    <p>
      Have you used it already? Then <PageLink to="/sign-in">sign in</PageLink>.
    </p>
  );
}
