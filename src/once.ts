/** `make`, but once for each key: what is made is kept as long as the key is. */
export function onceFor<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const kept = new WeakMap<Key, { made: Made }>()
  return (key) => {
    const known = kept.get(key) ?? { made: make(key) }
    kept.set(key, known)
    return known.made
  }
}

const underWay = new Set<string>()

/** Does the work unless it is under way: what every request asks for waits once for a locked database, not for each. */
export async function unlessUnderWay(name: string, work: () => Promise<unknown>): Promise<void> {
  if (underWay.has(name)) return
  underWay.add(name)
  try {
    await work()
  } finally {
    underWay.delete(name)
  }
}
