// How far the work behind a Mind is, in the console.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromNow, now } from '../../src/clock.ts'
import type { Tables } from '../../src/database/tables.ts'
import { recordUsage } from '../../src/llm/usage.ts'
import { LLM_KEY, type LlmStandIn, startLlm } from '../support/ai/llm.ts'
import { type Fixture, makeFixture, makePartner } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type ConsoleBrowser, enterConsole } from './console-visitor.ts'

describe('the work behind a Mind in the console', () => {
  let llm: LlmStandIn
  let server: TestServer
  let browser: ConsoleBrowser
  let fixture: Fixture

  beforeAll(async () => {
    llm = await startLlm()
    server = await startTestServer('sqlite', {
      LLM_URL: llm.url,
      LLM_KEY,
      LLM_MODEL: 'reader-1',
      EMBEDDING_MODEL: 'vectors-1'
    })
    browser = await enterConsole(server, server.partner)
    fixture = await makeFixture(server.service, server.partner.partnerId)
  })
  afterAll(async () => {
    await server.close()
    await llm.close()
  })

  const path = (...below: string[]) =>
    ['/console/customers', fixture.customerId, 'memory', fixture.mindId, ...below].join('/')
  const mindKey = async () => {
    const { key } = await server.service.database.read
      .selectFrom('mind')
      .where('id', '=', fixture.mindId)
      .select('key')
      .executeTakeFirstOrThrow()
    return key
  }
  /** As if it were in another process's hand, so that this one leaves it as it is. */
  const setJob = async (columns: Partial<Tables['mindJob']>) => {
    const job = {
      ...{
        kind: 'consolidate' as const,
        mindKey: await mindKey(),
        watermark: 0,
        waiting: 0,
        waitingSince: null
      },
      ...{ dueAt: null, attempts: 0, refusals: 0, failures: 0, isUnsure: 0 as const, lastDoneAt: now() },
      ...{
        leaseOwner: 'elsewhere/1/run_1',
        leaseExpiresAt: fromNow(600_000),
        lastError: null,
        madeWith: null
      },
      ...columns
    }
    await server.service.database.transaction(async (tx) => {
      await tx.deleteFrom('mindJob').where('mindKey', '=', job.mindKey).execute()
      await tx.insertInto('mindJob').values(job).execute()
    })
  }
  const standing = () =>
    server.service.database.read.selectFrom('mindJob').selectAll().executeTakeFirstOrThrow()

  it('shows when facts were last read, and that nothing waits', async () => {
    await setJob({ lastDoneAt: fromNow(-2 * 3_600_000) })
    const { text } = await browser.get(path())
    expect(text).toMatch(/Facts read by the model\s+Up to date\s+2 hours ago/)
    expect(text).not.toContain('Try again now')
  })

  it('shows the lag, what failed and when it is tried next', async () => {
    await setJob({
      ...{ waiting: 3, waitingSince: fromNow(-5 * 3_600_000), dueAt: fromNow(20 * 60_000) },
      ...{ attempts: 4, failures: 1_204, lastError: 'The model’s gateway can’t be reached.' }
    })
    const { text } = await browser.get(path())
    expect(text).toMatch(/Failing\s+\S.*5 hours ago\s+1,204/)
    expect(text).toMatch(/can’t be reached\. 3 memories wait\s*, next attempt\s+in 20 minutes/)
  })

  it('shows what was given up on, and tries it again on request', async () => {
    await setJob({ failures: 5 })
    const key = await mindKey()
    await server.service.database.transaction((tx) =>
      tx
        .insertInto('mindJobFailure')
        .values({ kind: 'consolidate', mindKey: key, seq: 1, error: 'No.', isQueued: 0 })
        .execute()
    )
    expect((await browser.get(path())).text).toContain('1 memory given up')
    const after = await browser.submit(path('retry'))
    expect(after.text).toContain('It is tried again now.')
    expect((await standing()).dueAt).not.toBeNull()
    const failures = await server.service.database.read.selectFrom('mindJobFailure').selectAll().execute()
    expect(failures).toMatchObject([{ isQueued: 1 }])
  })

  it('shows what models took, by what it was for', async () => {
    const key = await mindKey()
    await server.service.database.transaction((tx) =>
      recordUsage(tx, key, [
        { purpose: 'consolidate', calls: 2, inputTokens: 12_000, outputTokens: 800, costMicros: 31_500 },
        { purpose: 'consolidate', calls: 1, inputTokens: 345, outputTokens: 1, costMicros: 500 }
      ])
    )
    const { text } = await browser.get(path())
    expect(text).toMatch(/Reading facts\s+3\s+12,345\s+801\s+0\.032/)
  })

  it('is nobody else’s to see or to retry', async () => {
    const stranger = await enterConsole(server, await makePartner(server.service))
    expect((await stranger.get(path())).status).toBe(404)
    const before = await standing()
    expect((await stranger.post(path('retry'))).status).toBe(404)
    expect(await standing()).toEqual(before)
  })
})
