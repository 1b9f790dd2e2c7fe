/** `make`, but not before it is first asked for, and then once. */
export function lazily<Made>(make: () => Made): () => Made {
  let kept: { made: Made } | undefined
  return () => {
    kept ??= { made: make() }
    return kept.made
  }
}

/** `make`, but once for each key: what is made is kept as long as the key is. */
export const onceFor = <Key extends object, Made>(make: (key: Key) => Made) => keeping(make, new WeakMap())

/** The same for texts or numbers of which there are few: what is made is kept for good. */
export const onceForValue = <Made, Value extends string | number = string>(make: (value: Value) => Made) =>
  keeping<Value, Made>(make, new Map())

/** The same for texts that come again and again: what is made is kept, all of it until there would be more than `most`. */
export const lately = <Made>(make: (text: string) => Made, most = 1_000) => {
  const kept = new Map<string, { made: Made }>()
  return keeping(make, kept, () => kept.size < most || kept.clear())
}

type Kept<Key, Made> = Pick<Map<Key, { made: Made }>, 'get'> & { set(key: Key, known: { made: Made }): void }

function keeping<Key, Made>(make: (key: Key) => Made, kept: Kept<Key, Made>, makeRoom?: () => void) {
  return (key: Key): Made => {
    const known = kept.get(key)
    if (known) return known.made
    const made = make(key)
    makeRoom?.()
    kept.set(key, { made })
    return made
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
