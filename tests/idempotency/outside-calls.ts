// Calls of the work that goes outside, as a partner under keys of its own.
import type { Tables } from '../../src/database/tables.ts'
import { type Answer, execute } from '../../src/execute.ts'
import type { AnyOperation } from '../../src/operation.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { makePartner, type TestPartner } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { makeGate } from './gate.ts'
import { countsOf, outsideWork } from './outside-work.ts'

export interface OutsideInput {
  counter: string
  settles?: boolean
}

export interface OutsideCalls extends TestService {
  partner: TestPartner
  run(operation: AnyOperation, key: string | undefined, input: OutsideInput): Promise<Answer>
  /** A call that has begun and waits outside until it is let on. */
  beginOutside(key: string, input: OutsideInput): Promise<{ answer: Promise<Answer>; letOn(): void }>
  /** A call whose process died outside: it never ends, and nobody frees its key. */
  abandonOutside(key: string, input: OutsideInput): Promise<void>
  counts(counter: string): ReturnType<typeof countsOf>
  claimOf(key: string): Promise<Tables['idempotency'] | undefined>
  /** When the lease of the running call ends, in milliseconds since 1970. */
  leaseEndOf(key: string): Promise<number>
}

export async function openOutsideCalls(kind: DatabaseKind): Promise<OutsideCalls> {
  const opened = await openTestService(kind)
  const { service } = opened
  const partner = await makePartner(service)
  const caller = {
    partnerId: partner.partnerId,
    actor: partner.keyId,
    scopes: new Set(['customers:write'] as const)
  }
  const run: OutsideCalls['run'] = (operation, idempotencyKey, input) =>
    execute(operation, service, { caller, requestId: 'req_test', idempotencyKey }, input)
  const beginOutside: OutsideCalls['beginOutside'] = async (key, input) => {
    const reached = makeGate()
    const hold = makeGate()
    const operation = outsideWork({
      async outside() {
        reached.open()
        await hold.opened
      }
    })
    const answer = run(operation, key, input)
    // Looked at later; a refusal until then is no unhandled one.
    answer.catch(() => undefined)
    await reached.opened
    return { answer, letOn: hold.open }
  }
  const claimOf: OutsideCalls['claimOf'] = (key) =>
    service.database.read.selectFrom('idempotency').where('key', '=', key).selectAll().executeTakeFirst()
  return {
    ...opened,
    partner,
    run,
    beginOutside,
    async abandonOutside(key, input) {
      await beginOutside(key, input)
    },
    counts: (counter) => countsOf(service.database.read, counter),
    claimOf,
    async leaseEndOf(key) {
      const claim = await claimOf(key)
      return Date.parse(claim?.leaseExpiresAt ?? '')
    }
  }
}
