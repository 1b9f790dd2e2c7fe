// One of a script's two outputs, between the marks that its wrapper sets.

export interface CutOutput {
  push(chunk: Buffer): void
  /** The script had begun, or was about to. */
  hasBegun(): boolean
  /** What the wrapper says at the end, once it has. */
  ending(): string | undefined
  /** More came than is taken: of the script's, around it, or in the place of the wrapper's ending. */
  isTooLarge(): boolean
  /** What the script has written so far. */
  content(): Buffer
}

/** The wrapper's ending is an exit code. */
const MAX_ENDING_LENGTH = 32
const END_OF_ENDING = Buffer.from(';')

/**
 * Keeps at most `maxBytes` of what comes between `mark+` and `mark-…;`, and takes as much around it. Every byte is
 * searched once, whatever comes.
 */
export function createCutOutput(mark: string, maxBytes: number): CutOutput {
  const begin = Buffer.from(`${mark}+`)
  const end = Buffer.from(`${mark}-`)
  let stage: 'before' | 'inside' | 'after' | 'over' = 'before'
  const kept: Buffer[] = []
  let size = 0
  // What login shells print, and what a child that was left behind does.
  let aroundBytes = 0
  let told = ''
  // What may be the first half of a mark.
  let rest = Buffer.alloc(0)

  const drop = (part: Buffer) => {
    aroundBytes += part.length
  }
  const tell = (part: Buffer) => {
    if (told.length <= MAX_ENDING_LENGTH) told += part.toString('latin1')
  }
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
      if (stage === 'over') return drop(chunk)
      rest = Buffer.concat([rest, chunk])
      if (stage === 'before' && passes(begin, drop)) stage = 'inside'
      if (stage === 'inside' && passes(end, keep)) stage = 'after'
      if (stage === 'after' && passes(END_OF_ENDING, tell)) stage = 'over'
    },
    hasBegun: () => stage !== 'before',
    ending: () => (stage === 'over' ? told : undefined),
    isTooLarge: () => size > maxBytes || aroundBytes > maxBytes || told.length > MAX_ENDING_LENGTH,
    content: () => Buffer.concat(stage === 'inside' ? [...kept, rest] : kept)
  }
}
