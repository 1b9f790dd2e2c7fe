import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FileMemory, ImportConflict, importMemories, readMemoryFile } from '../../src/memory/import.ts'
import { databases } from '../support/databases.ts'
import { at, stringAt } from '../support/fixture.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { balanceOf, type MemoryCaller, makeMemoryCaller } from './caller.ts'

const file = (from: number, to: number): FileMemory[] =>
  Array.from({ length: to - from }, (_, i) => ({ content: `Line ${from + i}`, occurredAt: undefined }))

describe.each(databases)('import on %s', (kind) => {
  let test: TestService
  let ada: MemoryCaller
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    ada = await makeMemoryCaller(test.service)
  })

  const bring = (memories: readonly FileMemory[], onProgress = (_done: number) => {}) =>
    importMemories(test.service, { owner: ada, mindId: undefined }, memories, onProgress)
  /** Brings in the file, but is interrupted once so many are stored. */
  const interrupt = async (memories: readonly FileMemory[], after: number) => {
    await expect(
      bring(memories, (done) => {
        if (done >= after) throw new Error('interrupted')
      })
    ).rejects.toThrow('interrupted')
  }
  const contents = async () => {
    const rows = await test.service.database.read
      .selectFrom('memory')
      .innerJoin('mind', 'mind.key', 'memory.mindKey')
      .where('customerId', '=', ada.customerId)
      .select(['content', 'seq', 'memoryCount'])
      .orderBy('seq')
      .execute()
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, i) => i + 1))
    for (const { memoryCount } of rows) expect(memoryCount).toBe(rows.length)
    return rows.map(({ content }) => content)
  }
  /** The same page by page. */
  const exported = async () => {
    const { mindId } = await ada.call('recall')
    const pages: string[] = []
    for (let cursor: unknown; cursor !== null; ) {
      const page = Object(await ada.call('export', { mindId, ...(cursor ? { cursor } : {}) }))
      pages.push(...page.memories.map((memory: unknown) => stringAt(memory, 'content')))
      cursor = page.nextCursor
    }
    return pages
  }
  const told = (memories: readonly FileMemory[]) => memories.map(({ content }) => content)

  it('stores a file in its order, findable, and charges nothing', async () => {
    expect(await bring(file(0, 210))).toEqual({ imported: 210, alreadyThere: 0 })
    expect(await contents()).toEqual(told(file(0, 210)))
    expect(await exported()).toEqual(told(file(0, 210)))
    expect(await balanceOf(test.service, ada.partnerId)).toBe(1_000)
    expect(at(await ada.call('recall'), 'messages', 0)).toMatchObject({ content: 'Line 209' })
  })

  it('reads one after the other, so that none of many long ones waits in vain', async () => {
    const { memoryEngine } = test.service
    const long = file(0, 20).map(({ content, occurredAt }) => ({
      content: `${content}. ${'The harbour is closed today. '.repeat(40)}`.trim(),
      occurredAt
    }))
    let underWay = 0
    const most: number[] = []
    const prepare: typeof memoryEngine.prepare = async (...told) => {
      underWay += 1
      most.push(underWay)
      try {
        return await memoryEngine.prepare(...told)
      } finally {
        underWay -= 1
      }
    }
    const target = { owner: ada, mindId: undefined }
    const service = { ...test.service, memoryEngine: { ...memoryEngine, prepare } }
    expect(await importMemories(service, target, long, () => {})).toEqual({ imported: 20, alreadyThere: 0 })
    expect(Math.max(...most)).toBe(1)
    expect(await contents()).toEqual(told(long))
  })

  it('goes on where it was interrupted, and stores nothing twice however often it is run', async () => {
    await interrupt(file(0, 500), 60)
    const reached = (await contents()).length
    expect(reached).toBeGreaterThanOrEqual(60)
    expect(reached).toBeLessThan(500)
    await interrupt(file(0, 500), 300)
    const result = await bring(file(0, 500))
    expect(result.imported + result.alreadyThere).toBe(500)
    expect(result.alreadyThere).toBeGreaterThanOrEqual(300)
    expect(await bring(file(0, 500))).toEqual({ imported: 0, alreadyThere: 500 })
    expect(await contents()).toEqual(told(file(0, 500)))
  })

  it('keeps what is said twice in a file, which is no repetition of a call', async () => {
    const yes: FileMemory[] = [
      { content: 'Ada: Yes.', occurredAt: '2026-01-01T10:00:00.000Z' },
      { content: 'Ada: Yes.', occurredAt: '2026-01-01T10:00:00.000Z' }
    ]
    await bring(yes)
    await bring(yes)
    expect(await contents()).toEqual(['Ada: Yes.', 'Ada: Yes.'])
  })

  it('adds what is new of a file that grew, and still knows the shorter one', async () => {
    await bring(file(0, 50))
    expect(await bring(file(0, 80))).toEqual({ imported: 30, alreadyThere: 50 })
    expect(await bring(file(0, 50))).toEqual({ imported: 0, alreadyThere: 50 })
    expect(await bring(file(0, 80))).toEqual({ imported: 0, alreadyThere: 80 })
    expect(await contents()).toEqual(told(file(0, 80)))
  })

  it('takes a file that begins differently for another one', async () => {
    await bring(file(0, 40))
    const other = [{ content: 'Something else', occurredAt: undefined }, ...file(1, 40)]
    expect(await bring(other)).toEqual({ imported: 40, alreadyThere: 0 })
    expect(await bring(file(0, 40))).toEqual({ imported: 0, alreadyThere: 40 })
  })

  it('is done once where two processes bring in the same file', async () => {
    const outcomes = await Promise.allSettled([bring(file(0, 400)), bring(file(0, 400))])
    const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(failed).toEqual([expect.any(ImportConflict)])
    expect(await contents()).toEqual(told(file(0, 400)))
  })

  it('gives up when another process, begun at the same time, has gone further', async () => {
    const { database, memoryEngine } = test.service
    const target = { owner: ada, mindId: undefined }
    let goOn = () => {}
    const isOvertaken = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const late = importMemories(
      {
        memoryEngine,
        database: {
          ...database,
          async transaction(work) {
            await isOvertaken
            return database.transaction(work)
          }
        }
      },
      target,
      file(0, 200),
      () => undefined
    )
    // Both begin with the same batch; whose is stored, and gone beyond, is seen by the position alone.
    await interrupt(file(0, 200), 40)
    goOn()
    await expect(late).rejects.toThrow(ImportConflict)
    await bring(file(0, 200))
    expect(await contents()).toEqual(told(file(0, 200)))
  })

  it('starts over once the Mind is forgotten', async () => {
    await bring(file(0, 30))
    const { mindId } = await ada.call('recall')
    await ada.call('forget_mind', { mindId })
    expect(await bring(file(0, 30))).toEqual({ imported: 30, alreadyThere: 0 })
  })

  it('doesn’t bring a forgotten memory back', async () => {
    await bring(file(0, 30))
    const { memoryId } = { memoryId: at(await ada.call('recall'), 'messages', 0, 'id') }
    await ada.call('forget', { memoryId })
    expect(await bring(file(0, 30))).toEqual({ imported: 0, alreadyThere: 30 })
    expect(at(await ada.call('recall'), 'messages', 0)).toMatchObject({ content: 'Line 28' })
  })
})

describe('a file of memories', () => {
  async function* linesOf(...lines: string[]): AsyncGenerator<string> {
    yield* lines
  }

  it('is read with its times in UTC, blank lines and what an export adds left out', async () => {
    expect(
      await readMemoryFile(
        linesOf(
          '\uFEFF{"content":"one"}\r',
          '',
          '{"id":"mem_1","mindId":"mnd_1","content":"two","occurredAt":"2026-01-01T01:00:00+01:00","createdAt":"x"}'
        )
      )
    ).toEqual({
      memories: [
        { content: 'one', occurredAt: undefined },
        { id: 'mem_1', content: 'two', occurredAt: '2026-01-01T00:00:00.000Z' }
      ],
      problems: []
    })
  })

  it('names every line that can’t be used', async () => {
    const { problems } = await readMemoryFile(
      linesOf(
        '{"content":""}',
        'nonsense',
        '{"text":"x"}',
        '{"content":"x","occurredAt":"yesterday"}',
        '{"content":"x","occurredAt":"2999-01-01T00:00:00Z"}'
      )
    )
    expect(problems).toEqual([
      { line: 1, problem: 'content must not be empty; content must not be blank.' },
      { line: 2, problem: 'It is not JSON. Each line is one object: {"content": "…", "occurredAt"?: "…"}.' },
      { line: 3, problem: 'content is required.' },
      { line: 4, problem: 'occurredAt is not a valid ISO 8601 timestamp with a time zone.' },
      { line: 5, problem: expect.stringContaining('more than a day ahead') }
    ])
  })
})
