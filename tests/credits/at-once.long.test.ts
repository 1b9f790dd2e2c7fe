// Two real processes whose payments come at once, from what is enough for half of them.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Payer } from '../../src/credits/payment.ts'
import { databases } from '../support/databases.ts'
import { openTestService } from '../support/service.ts'
import { expectCreditsToAddUp } from './invariants.ts'
import { balancesOf, makePayer } from './payers.ts'

const Outcome = z.strictObject({ paid: z.int(), refusals: z.array(z.string()) })

it.each(databases)(
  'let through 100 of 200 from two processes on %s',
  async (kind) => {
    const test = await openTestService(kind, { BUSY_DEADLINE_MS: '60000' })
    const payer = await makePayer(test.service, { credits: 100 })
    const outcomes = await Promise.all([chargingProcess(test.env, payer), chargingProcess(test.env, payer)])
    expect(outcomes.reduce((sum, { paid }) => sum + paid, 0)).toBe(100)
    expect(outcomes.flatMap(({ refusals }) => refusals)).toEqual(Array(100).fill('insufficient_credits'))
    expect(await balancesOf(test.service, payer)).toEqual({ partner: 900, customer: 0 })
    await expectCreditsToAddUp(test.service.database.read)
    await test.close()
  },
  120_000
)

async function chargingProcess(
  env: Record<string, string>,
  { partnerId, customer }: Payer
): Promise<z.output<typeof Outcome>> {
  const script = new URL('./charging-process.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script], {
    env: {
      ...env,
      PATH: process.env.PATH,
      PAYING_PARTNER: partnerId,
      PAYING_CUSTOMER: customer.id,
      PAYMENTS: '100'
    }
  })
  return Outcome.parse(JSON.parse(stdout))
}
