/** Keeps what a pure function returned for the last keys: it forgets all of them when it has that many. */
export function memoize<Key, Value>(make: (key: Key) => Value, keysMax: number): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined || known.has(key)) return before as Value; // it was kept under this key
    const value = make(key);
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
