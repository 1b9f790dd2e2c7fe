import { createHash } from 'node:crypto'

/** Changes with the text, so that its address can be kept by browsers for ever. */
export const versionOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12)
