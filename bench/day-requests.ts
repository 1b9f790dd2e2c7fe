// Of a hundred requests of a day 60 recall, 20 remember, 10 ask and 10 are the partner's own over REST.
import type { Tenants } from './day-seed.ts'
import { askingOf, sayingOf } from './day-texts.ts'
import type { Shot } from './load.ts'
import { eras } from './mcp-shots.ts'
import { randomFrom } from './memory-crowd.ts'

const SHARES = { recall: 60, remember: 20, ask: 10, REST: 10 }
export type Kind = keyof typeof SHARES
export const KINDS = ['recall', 'remember', 'ask', 'REST'] as const satisfies readonly Kind[]

export interface DayRequest {
  kind: Kind
  shot: Shot
  /** What an answer must hold to be one. */
  proof: string
}

const LEVELS = [...Array<string>(7).fill('standard'), 'enhanced', 'enhanced', 'deep']
/** How many of ten memory calls come with the customer's own token, not with the partner's key. */
const WITH_TOKEN = 0.8
/** How many of the partner's own requests are for one customer, not for a list. */
const FOR_ONE = 0.7

/** Requests without an end, the same ones for the same stream; what is remembered differs between streams. */
export function* requestsOf({ customers }: Tenants, stream: number): Generator<DayRequest, never> {
  const random = randomFrom(stream)
  const oneOf = <T>(all: readonly T[]): T => {
    const chosen = all[Math.floor(random() * all.length)]
    if (chosen === undefined) throw new Error('There is nothing to choose from.')
    return chosen
  }
  const proofs = { recall: '"messages":[{"id":"mem_', remember: '"memoryId":"mem_', ask: '"answer":"' }

  for (let turn = 1; ; ) {
    for (const kind of shuffled(random)) {
      turn += 1
      const { id, key, token } = oneOf(customers)
      if (kind === 'REST') {
        const place = random() < FOR_ONE ? `/${id}` : ''
        const shot: Shot = {
          method: 'GET',
          path: `/api/v1/mcp/customers${place}`,
          headers: { authorization: `Bearer ${key}` }
        }
        yield { kind, shot, proof: '"success":true' }
      } else {
        const told = {
          recall: () => ({}),
          remember: () => ({ content: `${sayingOf(random, turn).content} Note ${stream}-${turn}.` }),
          ask: () => ({ question: askingOf(random), reasoningLevel: oneOf(LEVELS) })
        }[kind]()
        const call =
          random() < WITH_TOKEN
            ? ([{ path: '/api/mcp', key: token }, `internal_memory_${kind}`, told] as const)
            : ([{ path: '/api/partner-mcp', key }, `memory_${kind}`, { customerId: id, ...told }] as const)
        const [gateway, name, given] = call
        const shot = oneOf(eras).shotOf(gateway, 'tools/call', { name, arguments: given })
        yield { kind, shot, proof: proofs[kind] }
      }
    }
  }
}

/** A hundred kinds in their shares. */
function shuffled(random: () => number): Kind[] {
  const deck = KINDS.flatMap((kind) => Array<Kind>(SHARES[kind]).fill(kind))
  return deck
    .map((kind) => ({ kind, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ kind }) => kind)
}
