import { createContext, type ReactNode, use, useMemo, useState } from "react";

/** Live answers come from real sources and cost units; test ones are made up and cost nothing. */
export type Environment = "live" | "test";

type Value = { environment: Environment; setEnvironment(next: Environment): void };

const EnvironmentContext = createContext<Value | undefined>(undefined);

const storageKey = "waypost.environment";

export function EnvironmentProvider({ children }: { children: ReactNode }) {
  const [environment, setState] = useState<Environment>(localStorage.getItem(storageKey) === "live" ? "live" : "test");
  const value = useMemo(
    () => ({
      environment,
      setEnvironment(next: Environment) {
        localStorage.setItem(storageKey, next);
        setState(next);
      },
    }),
    [environment],
  );
  return <EnvironmentContext value={value}>{children}</EnvironmentContext>;
}

export function useEnvironment(): Value {
  const value = use(EnvironmentContext);
  if (!value) throw new Error("useEnvironment needs an EnvironmentProvider above it");
  return value;
}
