// Memories taken out over REST as JSON Lines, and read back.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { jsonLines } from '../../servers/rest/json-lines.ts'
import { importMemories, readMemoryFile } from '../../src/memory/import.ts'
import { exportMind } from '../../src/memory/operations.ts'
import { makeKey, makePartner, stringAt } from '../support/fixture.ts'
import { startTestServer, type TestServer } from '../support/http.ts'
import { type MemoryCaller, makeMemoryCaller } from './caller.ts'

describe('export', () => {
  let server: TestServer
  let ada: MemoryCaller
  let mindId: string
  beforeAll(async () => {
    server = await startTestServer(
      'sqlite',
      {},
      { alone: 'a Caddy before 2.8 ends what broke off as if it were whole' }
    )
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    ada = await makeMemoryCaller(server.service, { partnerId: server.partner.partnerId })
    mindId = stringAt(await ada.call('recall'), 'mindId')
  })

  const exported = (key = server.partner.key, mind = mindId) =>
    fetch(`${server.url}/api/v1/mcp/customers/${ada.customerId}/minds/${mind}/export`, {
      headers: { authorization: `Bearer ${key}` }
    })
  const tell = (count: number, customer = ada) =>
    importMemories(
      server.service,
      { owner: customer, mindId: undefined },
      Array.from({ length: count }, (_, i) => ({
        content: `Ada: number ${i} — “ü”\n記憶`,
        occurredAt: new Date(Date.UTC(2026, 0, 1, 0, count - i)).toISOString()
      })),
      () => undefined
    )
  const linesOf = async (answer: Response) =>
    (await answer.text())
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))

  it('streams every memory in the order in which it was told, page after page', async () => {
    await tell(257)
    const answer = await exported()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="memory_export.jsonl"')
    const lines = await linesOf(answer)
    expect(lines).toHaveLength(257)
    expect(lines[0]).toEqual({
      id: expect.stringMatching(/^mem_/),
      content: 'Ada: number 0 — “ü”\n記憶',
      occurredAt: '2026-01-01T04:17:00.000Z',
      createdAt: expect.stringMatching(/Z$/)
    })
    expect(lines.map(({ content }) => content)).toEqual(lines.map((_, i) => `Ada: number ${i} — “ü”\n記憶`))
  })

  it('is read back as it was, but for ids and times of storing', async () => {
    await tell(120)
    const text = await (await exported()).text()
    const { memories, problems } = await readMemoryFile(splitLines(text))
    expect(problems).toEqual([])
    const bob = await makeMemoryCaller(server.service, { partnerId: ada.partnerId })
    await importMemories(server.service, { owner: bob, mindId: undefined }, memories, () => undefined)
    const told = async (caller: MemoryCaller) => {
      const { mindId: primary } = await caller.call('recall')
      const all: unknown[] = []
      for (let cursor: unknown; cursor !== null; ) {
        const page = Object(await caller.call('export', { mindId: primary, ...(cursor ? { cursor } : {}) }))
        all.push(...page.memories.map(({ content, occurredAt }: never) => ({ content, occurredAt })))
        cursor = page.nextCursor
      }
      return all
    }
    expect(await told(bob)).toEqual(await told(ada))
  })

  it('is empty for an empty Mind, and for exactly a page it ends there', async () => {
    expect(await linesOf(await exported())).toEqual([])
    await tell(100)
    expect(await linesOf(await exported())).toHaveLength(100)
  })

  it('comes in pages of a bounded length, however long each memory is', async () => {
    const long = 'The harbour is closed today. '.repeat(1_100).trim()
    for (let i = 0; i < 20; i += 1) await ada.call('remember', { content: `${i}: ${long}` })
    await ada.call('remember', { content: 'Short.' })
    const pages: string[][] = []
    for (let cursor: unknown; cursor !== null; ) {
      const page = Object(await ada.call('export', { mindId, ...(cursor ? { cursor } : {}) }))
      pages.push(page.memories.map(({ content }: { content: string }) => content))
      cursor = page.nextCursor
    }
    expect(pages.flat()).toEqual([...Array.from({ length: 20 }, (_, i) => `${i}: ${long}`), 'Short.'])
    for (const page of pages) {
      expect(page.length).toBeGreaterThan(0)
      expect(page.join('').length).toBeLessThanOrEqual(256 * 1024)
    }
  })

  it('reads no further than a client takes, and others have a turn before each page', async () => {
    await tell(650)
    const { lines } = exportMind
    if (!lines) throw new Error('The export has no lines')
    let turns = 0
    const turnsAt: number[] = []
    const turning = () => {
      turns += 1
      ticking = setImmediate(turning)
    }
    let ticking = setImmediate(turning)
    const pageAt = async (position: Record<string, unknown>) => {
      const page = await ada.call('export', { mindId, ...position })
      turnsAt.push(turns)
      return page
    }
    const reader = jsonLines(lines, await pageAt({}), pageAt, () => undefined).getReader()
    await reader.read()
    const unread = turns + 20
    await vi.waitUntil(() => turns > unread)
    expect(turnsAt).toHaveLength(1)
    while (!(await reader.read()).done);
    clearImmediate(ticking)
    expect(turnsAt).toHaveLength(7)
    expect(new Set(turnsAt).size).toBe(7)
  })

  it('of one partner waits for itself: another one’s page comes after the page that is being read', async () => {
    await tell(5)
    const bob = await makeMemoryCaller(server.service)
    await bob.call('remember', { content: 'Bob: I am in a hurry.' })
    const bobs = stringAt(await bob.call('recall'), 'mindId')
    const done: string[] = []
    const many = Array.from({ length: 50 }, () => ada.call('export', { mindId }).then(() => done.push('ada')))
    await Promise.all([...many, bob.call('export', { mindId: bobs }).then(() => done.push('bob'))])
    expect(done.indexOf('bob')).toBeLessThan(4)
  })

  it('is refused like any other call', async () => {
    const { key: reader } = await makeKey(server.service, ada.partnerId, { scopes: ['memory:read'] })
    const { key: writer } = await makeKey(server.service, ada.partnerId, { scopes: ['memory:write'] })
    const stranger = await makePartner(server.service)
    expect((await exported(reader)).status).toBe(200)
    const refusals = [
      [await exported(writer), 403, 'missing_scope'],
      [await exported('pkt_none'), 401, 'unauthorized'],
      [await exported(stranger.key), 404, 'customer_not_found'],
      [await exported(reader, 'mnd_none'), 404, 'mind_not_found']
    ] as const
    for (const [answer, status, code] of refusals) {
      expect([answer.status, await answer.json()]).toEqual([
        status,
        expect.objectContaining({ success: false, code })
      ])
    }
  })

  it('breaks off, instead of seeming whole, when a later page fails', async () => {
    await tell(250)
    const { database } = server.service
    const readsOf = async (failAt: number) => {
      let reads = 0
      server.service.database = {
        ...database,
        get read() {
          reads += 1
          if (reads === failAt) throw new Error('the disk is gone')
          return database.read
        }
      }
      const outcome = await exported()
        .then((answer) => answer.text())
        .catch(() => 'broken off')
      server.service.database = database
      return { reads, outcome }
    }
    const whole = await readsOf(Number.POSITIVE_INFINITY)
    expect(whole.outcome.split('\n')).toHaveLength(251)
    const broken = await readsOf(whole.reads)
    expect(broken.outcome).toBe('broken off')
    expect(server.logs.join('')).toContain('an answer broke off')
  })
})

async function* splitLines(text: string): AsyncGenerator<string> {
  yield* text.split('\n')
}
