import { useSuspenseQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { type Dispatch, type SetStateAction, useEffect, useState } from "react";
import { sessionQuery } from "../api/session.ts";

const prefix = "waypost.entry.";

/**
 * State that belongs to an entry of the tab's history: Back, Forward and a reload bring it again, a new visit of the
 * page begins anew. Another person or organization in the same tab does not get it.
 */
export function useEntryState<Value>(
  name: string,
  initial: Value,
): [value: Value, setValue: Dispatch<SetStateAction<Value>>] {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? "" });
  const key = [prefix, session.person.id, session.organization.id, entry, name].join("/");
  const [value, setValue] = useState(() => read<Value>(key) ?? initial);
  useEffect(() => write(key, value), [key, value]);
  return [value, setValue];
}

/** Forgets the state of every entry, for whoever uses the tab next. */
export function forgetEntries(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
}

function read<Value>(key: string): Value | undefined {
  const kept = sessionStorage.getItem(key);
  return kept === null ? undefined : (JSON.parse(kept) as Value); // written by write()
}

function write(key: string, value: unknown) {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // The tab's storage is full: the page works on without.
  }
}
