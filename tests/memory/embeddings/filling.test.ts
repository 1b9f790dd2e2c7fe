// How memories get their vectors, and lose them.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { usageOf } from '../../../src/llm/usage.ts'
import { deleteForgotten } from '../../../src/memory/forgotten-minds.ts'
import type { MindJob } from '../../../src/memory/jobs/store.ts'
import { type LlmStandIn, startLlm } from '../../support/ai/llm.ts'
import type { LlmBehaviour } from '../../support/ai/llm-faults.ts'
import { databases } from '../../support/databases.ts'
import { stringAt } from '../../support/fixture.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { makeMemoryCaller } from '../caller.ts'
import { removeMinds } from '../remove-minds.ts'
import { tellMind } from '../told-mind.ts'
import { embeddingEnv, meaningOf, seqsWithVector } from './meaning.ts'

describe.each(databases)('the vectors of a Mind on %s', (kind) => {
  let llm: LlmStandIn
  let test: TestService
  beforeAll(async () => {
    llm = await startLlm()
    test = await openTestService(kind, embeddingEnv(llm))
  })
  afterEach(async () => {
    llm.behave('good')
    await test.service.database.transaction((tx) => removeMinds(tx))
  })
  afterAll(async () => {
    await test.close()
    await llm.close()
  })

  const jobOf = (mindKey: number): Promise<MindJob> =>
    test.service.database.read
      .selectFrom('mindJob')
      .where('mindKey', '=', mindKey)
      .selectAll()
      .executeTakeFirstOrThrow()
  const keyOf = async (mindId: string): Promise<number> => {
    const mind = await test.service.database.read
      .selectFrom('mind')
      .where('id', '=', mindId)
      .select('key')
      .executeTakeFirstOrThrow()
    return mind.key
  }
  /** Fills a Mind up to the moment in which the gateway has its texts; what happens then, happens meanwhile. */
  const meanwhile = async (happen: () => Promise<unknown>): Promise<void> => {
    llm.behave('waits', 1)
    const asked = llm.asked()
    const filling = meaningOf(test.service).fill()
    await asked
    await happen()
    llm.release()
    await filling
  }
  const told = async () => {
    const ada = await makeMemoryCaller(test.service)
    const first = await ada.call('remember', { content: 'Ada: The boat is called Nautilus.' })
    const second = await ada.call('remember', { content: 'Ada: My sister lives in Oslo.' })
    const mindId = stringAt(first, 'mindId')
    return { ada, mindId, mindKey: await keyOf(mindId), memoryId: stringAt(second, 'memoryId') }
  }

  it('come soon after the memories, by the running service itself', async () => {
    const { service, close } = await openTestService(kind, embeddingEnv(llm))
    service.start('http://127.0.0.1')
    const ada = await makeMemoryCaller(service)
    await ada.call('remember', { content: 'Ada: The boat is called Nautilus.' })
    const { key } = await service.database.read.selectFrom('mind').select('key').executeTakeFirstOrThrow()
    await vi.waitFor(async () => expect(await seqsWithVector(service, key)).toEqual([1]), 30_000)
    expect(await usageOf(service.database.read, key)).toEqual([
      expect.objectContaining({ purpose: 'embed', calls: 1, outputTokens: 0 })
    ])
    await close()
  })

  it('are filled in for Minds that were told before, batch after batch', async () => {
    const texts = Array.from({ length: 70 }, (_, index) => `Number ${index}.`)
    const { mindKey } = await tellMind(test.service, texts)
    const { mindKey: other } = await tellMind(test.service, ['One more.'])
    const before = llm.requests.length
    await meaningOf(test.service).fill()
    expect(await seqsWithVector(test.service, mindKey)).toEqual(texts.map((_, index) => index + 1))
    expect(await seqsWithVector(test.service, other)).toEqual([1])
    expect(llm.requests.length - before).toBe(3)
    expect(await jobOf(mindKey)).toMatchObject({
      watermark: 70,
      waiting: 0,
      madeWith: 'meaning-1, 512 dimensions'
    })
  })

  it('are made anew, all of them, by another model', async () => {
    const { mindKey } = await tellMind(test.service, ['One.', 'Two.'])
    await meaningOf(test.service).fill()
    await test.service.database.transaction((tx) =>
      tx
        .insertInto('embedding')
        .values({ mindKey, block: 99, vectors: Buffer.from('left over') })
        .execute()
    )
    const before = llm.requests.length
    await meaningOf(test.service, { embeddingModel: 'meaning-2' }).fill()
    expect(llm.requests.slice(before).map(({ body }) => [body.model, body.input])).toEqual([
      ['meaning-2', ['One.', 'Two.']]
    ])
    expect(await seqsWithVector(test.service, mindKey)).toEqual([1, 2])
  })

  it('aren’t made twice by the same model', async () => {
    await tellMind(test.service, ['One.', 'Two.'])
    await meaningOf(test.service).fill()
    const before = llm.requests.length
    await meaningOf(test.service).fill()
    expect(llm.requests.length).toBe(before)
  })

  it('go with their memory, and with their Mind', async () => {
    const { ada, mindId, mindKey, memoryId } = await told()
    await meaningOf(test.service).fill()
    await ada.call('forget', { memoryId })
    expect(await seqsWithVector(test.service, mindKey)).toEqual([1])
    await ada.call('forget_mind', { mindId })
    await deleteForgotten(test.service.database)
    expect(await seqsWithVector(test.service, mindKey)).toEqual([])
  })

  it('aren’t kept for a memory that is forgotten while they are made', async () => {
    const { ada, mindKey, memoryId } = await told()
    await meanwhile(() => ada.call('forget', { memoryId }))
    expect(await seqsWithVector(test.service, mindKey)).toEqual([1])
  })

  it('aren’t kept for a Mind that is forgotten while they are made', async () => {
    const { ada, mindKey, mindId } = await told()
    await meanwhile(() => ada.call('forget_mind', { mindId }))
    expect(await seqsWithVector(test.service, mindKey)).toEqual([])
  })

  it.each<[LlmBehaviour, string]>([
    ['hangs-up', 'The embedding model could not be reached.'],
    ['overloaded', 'The gateway of the embedding model failed.'],
    ['refuses-key', 'The gateway of the embedding model refuses the key.'],
    ['limits', 'The gateway of the embedding model asks for fewer calls.'],
    ['nonsense', 'The answer of the embedding model could not be read.'],
    ['rejects', 'The embedding model refused the texts. Check EMBEDDING_MODEL.']
  ])('wait for a gateway that %s, and no memory is blamed', async (behaviour, lastError) => {
    const { mindKey } = await tellMind(test.service, ['One.'])
    llm.behave(behaviour)
    await meaningOf(test.service).fill()
    expect(await jobOf(mindKey)).toMatchObject({
      watermark: 0,
      waiting: 1,
      attempts: 1,
      refusals: 0,
      lastError
    })
  })

  it('wait for as long as the gateway asks for', async () => {
    const { mindKey } = await tellMind(test.service, ['One.'])
    llm.behave('limits')
    const before = Date.now()
    await meaningOf(test.service).fill()
    expect(Date.parse((await jobOf(mindKey)).dueAt ?? '') - before).toBeGreaterThanOrEqual(17_000)
  })

  it('are refused for what this very memory says only if others are taken', async () => {
    const { mindKey } = await tellMind(test.service, ['One.'])
    llm.behave('rejects', 1)
    await meaningOf(test.service).fill()
    expect(await jobOf(mindKey)).toMatchObject({ waiting: 1, attempts: 1, refusals: 1 })
  })
})
