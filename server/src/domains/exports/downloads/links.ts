import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../../platform/clock.ts";
import { linkMinutes } from "../export.ts";

/** The query of a download link, as it arrives. */
export type Link = { expires: string; kid: string; sig: string };

/** Whether a link may begin a download, may only resume one, is over, or was never ours. */
export type LinkState = "open" | "resume_only" | "expired" | "forged";

const version = "v1";
const resumeMinutes = 60;
const minuteMs = 60_000;

/**
 * Signs links to one file each. Every process of an installation has the same secret, so a link works
 * on all of them; `kid` names the key it was signed with.
 */
export function createLinks({ secret, clock }: { secret: string; clock: Clock }) {
  // A key of its own: the secret also serves other purposes, and no signature may serve two.
  const key = createHmac("sha256", secret).update("download links").digest();
  const kid = createHash("sha256").update(key).digest("hex").slice(0, 8);

  function sign(exportId: string, fileKey: string): Link {
    const expires = String(Math.floor(clock.now().getTime() / 1_000) + linkMinutes * 60);
    return { expires, kid, sig: signatureOf(exportId, fileKey, expires).toString("base64url") };
  }

  function check(exportId: string, fileKey: string, link: Link): LinkState {
    const given = Buffer.from(link.sig, "base64url");
    const right = signatureOf(exportId, fileKey, link.expires);
    // Comparing the text as well: base64 has several spellings of the same bytes.
    const isOurs =
      link.kid === kid &&
      given.length === right.length &&
      timingSafeEqual(given, right) &&
      given.toString("base64url") === link.sig;
    if (!isOurs) return "forged";
    const overMs = clock.now().getTime() - Number(link.expires) * 1_000;
    if (overMs < 0) return "open";
    return overMs < resumeMinutes * minuteMs ? "resume_only" : "expired";
  }

  function signatureOf(exportId: string, fileKey: string, expires: string): Buffer {
    return createHmac("sha256", key).update([version, exportId, expires, fileKey].join("\n")).digest();
  }

  return { sign, check };
}

export type Links = ReturnType<typeof createLinks>;
