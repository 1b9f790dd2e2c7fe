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

/** The same for texts of which there are few: what is made is kept for good. */
export const onceForText = <Made, Text extends string = string>(make: (text: Text) => Made) =>
  keeping<Text, Made>(make, new Map())

type Kept<Key, Made> = Pick<Map<Key, { made: Made }>, 'get'> & { set(key: Key, known: { made: Made }): void }

function keeping<Key, Made>(make: (key: Key) => Made, kept: Kept<Key, Made>): (key: Key) => Made {
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
