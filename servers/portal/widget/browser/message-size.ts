// How long a message may be, so that it is said before it is sent.

/** The chat route takes 32 kB of UTF-8. */
export const MAX_MESSAGE_BYTES = 32_768
/** From here on it is told how much is left. */
const NEAR_BYTES = 2_000

const encoder = new TextEncoder()

export interface Room {
  isOver: boolean
  /** Characters left, or too many; `undefined` while there is plenty of room. */
  characters: number | undefined
}

export function roomOf(message: string): Room {
  const left = MAX_MESSAGE_BYTES - encoder.encode(message).length
  if (left > NEAR_BYTES) return { isOver: false, characters: undefined }
  if (left >= 0) return { isOver: false, characters: left }
  // Some characters take several bytes: as many as these are on average.
  const bytesEach = (MAX_MESSAGE_BYTES - left) / message.length
  return { isOver: true, characters: Math.ceil(-left / bytesEach) }
}
