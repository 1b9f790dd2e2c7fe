import { analyse } from './analyse.ts'
import { extractFacts } from './facts/extract.ts'
import type { NewMemory } from './port.ts'

/** What is made of a memory's text before it is stored: up to a tenth of a second's work. */
export const readMemory = ({ content, occurredAt }: NewMemory) => ({
  analysed: analyse(content),
  facts: extractFacts(content, occurredAt)
})
