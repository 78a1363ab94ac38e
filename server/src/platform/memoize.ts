/**
 * Keeps what a pure function returned for the last inputs: it forgets all of them when it has that many. Inputs with the
 * same key get the same answer.
 */
export function memoize<Input, Value>(
  make: (input: Input) => Value,
  keysMax: number,
  keyOf: (input: Input) => unknown = (input) => input,
): (input: Input) => Value {
  const known = new Map<unknown, Value>();
  return (input) => {
    const key = keyOf(input);
    const before = known.get(key);
    if (before !== undefined || known.has(key)) return before as Value; // it was kept under this key
    const value = make(input);
    if (known.size >= keysMax) known.clear();
    known.set(key, value);
    return value;
  };
}

/** Keeps what a pure function made of an object, for as long as there is the object. */
export function memoizeByObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const before = known.get(key);
    if (before) return before.value;
    const value = make(key);
    known.set(key, { value });
    return value;
  };
}
