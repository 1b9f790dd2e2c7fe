// A Mind that is told something and then asked, without a model; answers name memories by their place in the telling.
import { answerFromPassages } from '../../../src/memory/embedded/answer.ts'
import type { Service } from '../../../src/service.ts'
import { type Told, type ToldMind, tellMind } from '../told-mind.ts'

/** Told on its day at ten: no memory is a turn of another one's session. */
export const on = (day: string, content: string): Told => ({ content, occurredAt: `${day}T10:00:00.000Z` })

/** The answer, its sources in their order as they were told, and which of these are marked as earlier. */
export async function askMind({ database }: Service, { mindKey, memoryIds }: ToldMind, question: string) {
  const { signal } = new AbortController()
  const told = await answerFromPassages(database.read, mindKey, question, 'standard', signal)
  const places = told.sources.map(({ memoryId }) => memoryIds.indexOf(memoryId))
  const lines = told.answer.split('\n').filter((line) => line.startsWith('['))
  return {
    ...told,
    answer: told.answer.replace(/mem_\w+/g, (id) => `#${memoryIds.indexOf(id)}`),
    places,
    earlier: places.filter((_, index) => /^\[\d+\] \S+ \(earlier\), /.test(lines[index] ?? ''))
  }
}

/** Tells a new Mind and asks it. */
export async function tellAndAsk(service: Service, told: readonly Told[], question: string) {
  return askMind(service, await tellMind(service, told), question)
}
