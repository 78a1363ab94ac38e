import { defineError } from "../../platform/errors.ts";

export const SignInFailed = defineError(
  "unauthenticated",
  "unauthenticated",
  () => "The e-mail address or the password is wrong. Try again, or ask an owner for a link that sets a new password.",
);

export const SessionRequired = defineError(
  "unauthenticated",
  "unauthenticated",
  () => "Your session has ended; sign in again.",
);

export const TooManySignIns = defineError(
  "rate_limited",
  "limit_reached",
  ({ minutes }: { minutes: number }) =>
    `Too many sign-ins failed; try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
);

export const RoleRequired = defineError(
  "insufficient_scope",
  "forbidden",
  ({ role }: { role: string }) => `Only ${role === "owner" ? "an owner" : "a member or an owner"} may do this.`,
);

export const LinkInvalid = defineError(
  "not_found",
  "not_found",
  () => "This link was used already, or its time has passed; ask for a new one.",
);

export const MemberInvalid = defineError(
  "invalid_request",
  "invalid",
  () => "The request does not fit the rules for members.",
);

export const MemberNotFound = defineError(
  "not_found",
  "not_found",
  ({ named }: { named: string }) => `There is no member ${named} in this organization.`,
);

export const SessionNotFound = defineError("not_found", "not_found", () => "There is no such session of yours.");

export const LastOwner = defineError(
  "state_conflict",
  "conflict",
  () => "An organization keeps at least one owner; make somebody else an owner first.",
);

export const BelongsElsewhere = defineError(
  "state_conflict",
  "conflict",
  ({ email, verb }: { email: string; verb: "reset" | "release" }) =>
    `${email} belongs to another organization too, which the same account opens; ask whoever runs the service (npx waypost users ${verb} ${email}).`,
);

export const AlreadyMember = defineError(
  "state_conflict",
  "conflict",
  ({ email }: { email: string }) => `${email} is a member already; change the role instead.`,
);
