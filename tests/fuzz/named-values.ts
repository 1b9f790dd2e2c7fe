// Values for the fields whose worth a schema can't tell: ids that exist, ids of others, ids of nobody.
import fc from 'fast-check'
import { HOST_KEY } from '../support/instances.ts'
import { AGENT_AT_PROVIDER, type FuzzFixture } from './fixture.ts'
import type { Named } from './schema-values.ts'

/** Of the right form, and nobody’s. */
export const BOT_TOKEN = `123456789:${'A'.repeat(35)}`

const NOBODY = ['cus_none', 'C-00000000', 'x', '..', '.', 'a/b', 'é', '%00', '0', 'null', "' or 1=1 --"]

/** For each of the partner's fixtures, references that mostly belong together. */
export const namedValues = (
  { fixtures, foreign, creditPlanId }: FuzzFixture,
  channel: 'rest' | 'mcp'
): Named[] =>
  fixtures[channel].map(({ customerId, code, agentA, agentB, teamMemberId, planId, ...fixture }) => ({
    customerId: reference(
      [customerId, customerId, code, code.toLowerCase()],
      [foreign.customerId, foreign.code]
    ),
    instanceId: reference([fixture.instanceId], [foreign.instanceId]),
    // Only this machine is asked, at a port where nobody listens.
    host: fc.oneof(
      { arbitrary: fc.constantFrom('127.0.0.1', 'LOCALHOST', '::1'), weight: 4 },
      { arbitrary: fc.constantFrom('127.1', 'a b', 'https://127.0.0.1', '127.0.0.1:22', '-'), weight: 1 }
    ),
    port: fc.constantFrom(1, 1, 1, 0, 65_536),
    hostKey: fc.constantFrom(HOST_KEY, HOST_KEY, 'SHA256:', `${HOST_KEY}=`),
    telegramBotToken: fc.constantFrom(BOT_TOKEN, BOT_TOKEN, BOT_TOKEN, '1:x'),
    telegramChatId: fc.constantFrom('42', '-100200300', '-100200300', 'me'),
    agentId: reference([agentA, agentB, AGENT_AT_PROVIDER], [foreign.agentA, foreign.agentB]),
    teamMemberId: reference([teamMemberId], [foreign.teamMemberId]),
    planId: reference([planId], [foreign.planId, creditPlanId]),
    mindId: reference([fixture.mindId], [foreign.mindId]),
    memoryId: reference([fixture.memoryId], [foreign.memoryId]),
    // As many decimals as it may have, which no schema says.
    amount: fc.constantFrom(1, 2.5, 0.000001, 1_000_000),
    // What would find the other partner's customers as well, if anything could.
    search: fc.oneof(
      fc.constantFrom('Foreign', 'example.com', '.'),
      fc.constantFrom('100%', '_', 'Ada', ' ')
    ),
    creditPlanIds: fc.oneof(
      { arbitrary: fc.constantFrom([], [creditPlanId], [creditPlanId, creditPlanId]), weight: 4 },
      { arbitrary: fc.constantFrom([planId], [foreign.planId], ['none']), weight: 1 }
    )
  }))

const reference = (own: readonly string[], foreign: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { arbitrary: fc.constantFrom(...own), weight: 8 },
    { arbitrary: fc.constantFrom(...foreign, ...NOBODY), weight: 1 }
  )
