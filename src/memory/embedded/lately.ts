/** `read`, but once for each of the texts that came lately: the words and sentences of a Mind come again and again. */
export function lately<Read>(most: number, read: (text: string) => Read): (text: string) => Read {
  const known = new Map<string, { read: Read }>()
  return (text) => {
    const before = known.get(text)
    if (before) return before.read
    const now = read(text)
    if (known.size >= most) known.clear()
    known.set(text, { read: now })
    return now
  }
}

/** Distinct words of the passages that a question is answered from, and more. */
export const WORDS_LATELY = 1_000
