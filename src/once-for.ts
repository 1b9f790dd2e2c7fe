/** `make`, but once for each key: what is made is kept as long as the key is. */
export function onceFor<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const kept = new WeakMap<Key, { made: Made }>()
  return (key) => {
    const known = kept.get(key) ?? { made: make(key) }
    kept.set(key, known)
    return known.made
  }
}
