/**
 * The time from the opening of the port to the end of the first set-up. Keys that an operator seeded are sent already
 * then, and would be refused as unknown: until it ends the process is not ready, and no key is looked at.
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
