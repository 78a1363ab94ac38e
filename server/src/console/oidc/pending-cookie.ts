import type { FastifyReply, FastifyRequest } from "fastify";
import { clearCookie, readCookie, setCookie } from "../cookies.ts";
import type { PendingSignIn } from "./provider.ts";

const name = "waypost_sign_in";
const lifetimeMs = 10 * 60_000;

/** A sign-in that has left for the provider, and the page it leads to. */
export type Leaving = PendingSignIn & { next: string };

export function setPending(request: FastifyRequest, reply: FastifyReply, leaving: Leaving, now: Date) {
  const value = Buffer.from(JSON.stringify(leaving)).toString("base64url");
  setCookie(request, reply, name, value, new Date(now.getTime() + lifetimeMs));
}

/** What the browser brought back; it works once. */
export function takePending(request: FastifyRequest, reply: FastifyReply): Leaving | undefined {
  const value = readCookie(request, name);
  if (value === undefined) return undefined;
  clearCookie(request, reply, name);
  try {
    const { state, nonce, verifier, next } = JSON.parse(Buffer.from(value, "base64url").toString()) as Leaving;
    const isWhole = [state, nonce, verifier, next].every((each) => typeof each === "string" && each !== "");
    return isWhole ? { state, nonce, verifier, next: pagePath(next) } : undefined;
  } catch {
    return undefined;
  }
}

/** A page of the dashboard, or the first one: never another host. */
export function pagePath(next: string): string {
  const base = "http://dashboard";
  const url = /^\/(?![/\\])/.test(next) && next.length <= 1_000 ? URL.parse(next, base) : null;
  return url?.origin === base ? url.pathname + url.search + url.hash : "/";
}
