// One of a script's two outputs, between the marks that its wrapper sets.

export interface CutOutput {
  push(chunk: Buffer): void
  /** The script had begun, or was about to. */
  hasBegun(): boolean
  /** What the wrapper says at the end, once it has. */
  ending(): string | undefined
  /** More came than is kept. */
  isTooLarge(): boolean
  /** What the script has written so far. */
  content(): Buffer
}

/** Keeps at most `maxBytes` of what comes between `mark+` and `mark-…;`. */
export function createCutOutput(mark: string, maxBytes: number): CutOutput {
  const begin = Buffer.from(`${mark}+`)
  const end = Buffer.from(`${mark}-`)
  let stage: 'before' | 'inside' | 'after' = 'before'
  const kept: Buffer[] = []
  let size = 0
  // What may be the first half of a mark, or stands behind the last one.
  let rest = Buffer.alloc(0)

  const keep = (part: Buffer) => {
    size += part.length
    if (size <= maxBytes) kept.push(part)
  }
  /** Splits `rest` at the mark; without one, all but what could be its beginning goes to `passed`. */
  const passes = (sought: Buffer, passed: (part: Buffer) => void): boolean => {
    const at = rest.indexOf(sought)
    const upTo = at === -1 ? Math.max(0, rest.length - sought.length + 1) : at
    passed(rest.subarray(0, upTo))
    rest = rest.subarray(at === -1 ? upTo : at + sought.length)
    return at !== -1
  }
  return {
    push(chunk) {
      if (stage === 'after' && rest.includes(';')) return
      rest = Buffer.concat([rest, chunk])
      if (stage === 'before' && passes(begin, () => {})) stage = 'inside'
      if (stage === 'inside' && passes(end, keep)) stage = 'after'
    },
    hasBegun: () => stage !== 'before',
    ending() {
      const at = stage === 'after' ? rest.indexOf(';') : -1
      return at === -1 ? undefined : rest.subarray(0, at).toString('latin1')
    },
    isTooLarge: () => size > maxBytes,
    content: () => Buffer.concat(stage === 'inside' ? [...kept, rest] : kept)
  }
}
