import { useSyncExternalStore } from "react";

let edited: Element[] = [];

document.addEventListener("input", ({ target }) => {
  const others = edited.filter((field) => field.isConnected && field !== target);
  edited = target instanceof HTMLInputElement ? [...others, target] : others;
});

/** Whether the page has fields that somebody has typed into. */
export function hasTyped(): boolean {
  return edited.some((field) => field.isConnected);
}

let isAsked = false;
const listeners = new Set<() => void>();

/** Keeps the page, out of sight, until its person has signed in again. */
export function askToSignInAgain(): void {
  setAsked(true);
}

export function goOn(): void {
  setAsked(false);
}

/** Whether the page waits for its person to sign in again. */
export function isWaitingForSignIn(): boolean {
  return isAsked;
}

export function useIsWaitingForSignIn(): boolean {
  return useSyncExternalStore(onChange, isWaitingForSignIn);
}

function setAsked(next: boolean) {
  isAsked = next;
  for (const listener of listeners) listener();
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
