import { analyse } from './analyse.ts'
import { spansIn } from './dates.ts'
import { extractFacts } from './facts/extract.ts'
import type { NewMemory } from './port.ts'

/** What is made of a memory's text before it is stored: up to a tenth of a second's work. */
export function readMemory({ content, occurredAt }: NewMemory) {
  const analysed = analyse(content)
  const spans = spansIn(content, occurredAt, analysed.language)
  return { analysed: { ...analysed, spans }, facts: extractFacts(content, occurredAt) }
}
