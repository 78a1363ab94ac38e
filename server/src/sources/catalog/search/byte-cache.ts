export type Sized = { readonly bytes: number };

/** What was used twice may take this share; what was read once makes room among itself. */
const protectedShare = 0.75;

/**
 * Keeps values up to a number of bytes, which may change meanwhile. A value enters on probation, and its next use protects it: reading
 * many values once, as a search over a country does, pushes out none of those that searches use all the time.
 */
export function createByteCache<Value extends Sized>(bytesMax: () => number) {
  const probation = new Map<number, Value>();
  const protectedValues = new Map<number, Value>();
  let bytes = 0;
  let protectedBytes = 0;

  /** A use that will not be repeated soon protects nothing. */
  function find(key: number, isOnce: boolean): Value | undefined {
    const known = protectedValues.get(key);
    if (known) {
      if (isOnce) return known;
      protectedValues.delete(key);
      protectedValues.set(key, known);
      return known;
    }
    const fresh = probation.get(key);
    if (fresh && !isOnce) protect(key, fresh);
    return fresh;
  }

  function has(key: number): boolean {
    return protectedValues.has(key) || probation.has(key);
  }

  function keep(key: number, value: Value) {
    drop(key);
    probation.set(key, value);
    bytes += value.bytes;
    makeRoom();
  }

  function protect(key: number, value: Value) {
    probation.delete(key);
    protectedValues.set(key, value);
    protectedBytes += value.bytes;
    const limit = bytesMax() * protectedShare;
    for (const [oldest, demoted] of protectedValues) {
      if (protectedBytes <= limit) return;
      protectedValues.delete(oldest);
      protectedBytes -= demoted.bytes;
      probation.set(oldest, demoted);
    }
  }

  function makeRoom() {
    const limit = bytesMax();
    for (const shelf of [probation, protectedValues]) {
      for (const oldest of shelf.keys()) {
        if (bytes <= limit) return;
        drop(oldest);
      }
    }
  }

  function drop(key: number) {
    const known = protectedValues.get(key);
    if (known) protectedBytes -= known.bytes;
    bytes -= (known ?? probation.get(key))?.bytes ?? 0;
    protectedValues.delete(key);
    probation.delete(key);
  }

  return {
    find,
    has,
    keep,
    /** Lets go of what is no longer wanted. */
    retain(isWanted: (key: number, value: Value) => boolean) {
      for (const shelf of [probation, protectedValues]) {
        for (const [key, value] of shelf) if (!isWanted(key, value)) drop(key);
      }
    },
    /** The keys of what was used last, the latest first. */
    recentKeys: () => [...probation.keys(), ...protectedValues.keys()].reverse(),
    size: () => ({ count: probation.size + protectedValues.size, bytes }),
  };
}

export type ByteCache<Value extends Sized> = ReturnType<typeof createByteCache<Value>>;
