/**
 * The time from the opening of the port to the end of the first set-up. Clients may already send keys that an operator
 * seeded, which would be refused as unknown. Until the end the process is not ready and checks no key.
 */
export type FirstSetUp = {
  isPending(): boolean;
  /** Called before the port opens. */
  begin(): void;
  end(): void;
};

export function createFirstSetUp(): FirstSetUp {
  let isPending = false;
  return { isPending: () => isPending, begin: () => void (isPending = true), end: () => void (isPending = false) };
}
