// One memory corrected by another: the old one stays as history, and holds again once its correction is forgotten.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readMemoryFile } from '../../src/memory/import.ts'
import { databases } from '../support/databases.ts'
import { at, stringAt } from '../support/fixture.ts'
import { everyRow } from '../support/rows-snapshot.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { balanceOf, type MemoryCaller, makeMemoryCaller } from './caller.ts'

describe.each(databases)('a correction on %s', (kind) => {
  let test: TestService
  let ada: MemoryCaller
  beforeAll(async () => {
    test = await openTestService(kind)
  })
  afterAll(() => test.close())
  beforeEach(async () => {
    ada = await makeMemoryCaller(test.service)
  })

  const tell = async (content: string, more: object = {}) =>
    stringAt(await ada.call('remember', { content, ...more }), 'memoryId')
  const ask = async (question: string) => String((await ada.call('ask', { question })).answer)
  const recalled = async () => Object(await ada.call('recall'))
  const refusal = (more: object) =>
    ada.call('remember', { content: 'Dana: It is 555-0171.', ...more }).then(
      () => undefined,
      ({ code, field, message }) => ({ code, field, message })
    )

  it('leads Ask although it shares no word with the question, and what it corrected stands behind it as earlier', async () => {
    const old = await tell('Dana: My parking space is number 12.')
    await tell('Tom: My parking space is number 40.')
    const fresh = await tell('Make that 17, I misread it.', { supersedes: old })
    const [lead = '', ...others] = (await ask('Which parking space does Dana have?')).split('\n').slice(1)
    expect(lead).toContain(fresh)
    expect(others.find((line) => line.includes(old))).toContain('(earlier)')
  })

  it('leads by the last of many corrections, each by the one before alone', async () => {
    let last = await tell('Dana: My parking space is number 12.')
    for (let n = 0; n < 60; n += 1) last = await tell(`Make that ${100 + n}.`, { supersedes: last })
    const [, lead = ''] = (await ask('Which parking space does Dana have?')).split('\n')
    expect(lead).toContain('Make that 159.')
  })

  it('takes the place of its fact, which is what held before', async () => {
    const old = await tell('Dana: I work at Acme.')
    expect((await recalled()).profile).toContain('Company: Acme')
    const fresh = await tell('Dana: I work at Globex.', { supersedes: old })
    const { profile, snapshot, messages } = await recalled()
    expect(profile).toContain(`Company: Globex`)
    expect(profile).not.toContain('Acme')
    expect(snapshot).toContain('Company: Globex, before: Acme')
    expect(snapshot.split('Told last:')[1]).not.toContain(old)
    expect(messages).toMatchObject([{ id: fresh }, { id: old, supersededBy: fresh }])
    expect(Object.keys(messages[0])).not.toContain('supersededBy')
  })

  it('holds although it tells of an earlier day', async () => {
    const old = await tell('Dana: I work at Acme.', { occurredAt: '2026-05-05T10:00:00Z' })
    await tell('Dana: I work at Globex.', { occurredAt: '2026-03-01T10:00:00Z', supersedes: old })
    expect((await recalled()).profile).toContain('Company: Globex')
  })

  it('lets nothing older hold where it states nothing itself', async () => {
    await tell('Dana: I work at Acme.')
    const wrong = await tell('Dana: I work at Globex.')
    await tell('That was a misunderstanding.', { supersedes: wrong })
    expect((await recalled()).profile).not.toMatch(/Acme|Globex/)
  })

  it('takes what it corrected from what is to come', async () => {
    const old = await tell('Dana has an appointment on 2031-05-03.')
    expect((await recalled()).snapshot).toContain('2031-05-03')
    await tell('Dana has an appointment on 2031-06-07.', { supersedes: old })
    const coming = (await recalled()).snapshot.split('Told last:')[0]
    expect(coming).toContain('2031-06-07')
    expect(coming).not.toContain('2031-05-03')
  })

  it('is undone by forgetting it, and passed on where it was corrected, too', async () => {
    const first = await tell('Dana: I work at Acme.')
    const before = await recalled()
    const second = await tell('Dana: I work at Globex.', { supersedes: first })
    const third = await tell('Dana: I work at Northwind.', { supersedes: second })
    await ada.call('forget', { memoryId: second })
    const { profile, messages } = await recalled()
    expect(profile).toContain('Northwind')
    expect(messages).toMatchObject([{ id: third }, { id: first, supersededBy: third }])
    await ada.call('forget', { memoryId: third })
    expect(await recalled()).toEqual(before)
  })

  it('is told by searches and exports, and survives an export and an import', async () => {
    const old = await tell('Dana: I work at Acme.')
    const fresh = await tell('Dana: I work at Globex.', { supersedes: old })
    const found = Object(await ada.call('search', { query: 'work' })).memories
    expect(found.find(({ id }: { id: string }) => id === old)).toMatchObject({ supersededBy: fresh })
    const { mindId } = await recalled()
    const { memories } = Object(await ada.call('export', { mindId }))
    expect(memories).toMatchObject([{ id: old, supersededBy: fresh }, { id: fresh }])
    const lines = memories.map((memory: unknown) => JSON.stringify(memory))
    const file = await readMemoryFile(
      (async function* () {
        yield* lines
      })()
    )
    const other = await makeMemoryCaller(test.service)
    const owner = { partnerId: other.partnerId, customerId: other.customerId }
    const { importMemories } = await import('../../src/memory/import.ts')
    await importMemories(test.service, { owner, mindId: undefined }, file.memories, () => undefined)
    const there = Object(await other.call('recall'))
    expect(there.profile).toContain('Globex')
    expect(there.profile).not.toContain('Acme')
    expect(there.messages[1]).toMatchObject({ supersededBy: there.messages[0].id })
  })

  it('comes twice without a second memory, a second charge or a refusal', async () => {
    const old = await tell('Dana: I work at Acme.')
    const once = await ada.call('remember', { content: 'Dana: I work at Globex.', supersedes: old })
    const balance = await balanceOf(test.service, ada.partnerId)
    const again = await ada.call('remember', { content: 'Dana: I work at Globex.', supersedes: old })
    expect(again).toEqual({ ...once, duplicate: true, credits: 0 })
    expect(await balanceOf(test.service, ada.partnerId)).toBe(balance)
  })

  it('may say what was said before that', async () => {
    const first = await tell('Dana: I work at Acme.')
    const second = await tell('Dana: I work at Globex.', { supersedes: first })
    const third = await tell('Dana: I work at Acme.', { supersedes: second })
    expect(third).not.toBe(first)
    expect((await recalled()).profile).toContain('Acme')
    expect((await recalled()).messages).toMatchObject([
      { id: third },
      { supersededBy: third },
      { supersededBy: second }
    ])
  })

  it('goes to the Mind of what it corrects', async () => {
    const { mindId } = await ada.call('create_mind', { name: 'Other' })
    const old = await tell('Dana: I work at Acme.', { mindId })
    expect(await ada.call('remember', { content: 'Dana: I work at Globex.', supersedes: old })).toMatchObject(
      { mindId }
    )
  })

  it('is refused for what was corrected already, and names what to correct', async () => {
    const old = await tell('Dana: My number is 555-0100.')
    const fresh = await tell('Dana: My number is 555-0170.', { supersedes: old })
    const refused = await refusal({ supersedes: old })
    expect(refused).toMatchObject({ code: 'invalid_input', field: 'supersedes' })
    expect(refused?.message).toContain(fresh)
  })

  it('crosses neither customers, partners nor Minds, and leaves nothing behind', async () => {
    const other = await makeMemoryCaller(test.service)
    const theirs = stringAt(await other.call('remember', { content: 'Eve: I work at Acme.' }), 'memoryId')
    const { mindId } = await ada.call('create_mind', { name: 'Other' })
    const own = await tell('Dana: My number is 555-0100.')
    const rows = await everyRow(test.service)
    for (const more of [{ supersedes: theirs }, { supersedes: 'mem_nowhere' }, { supersedes: own, mindId }]) {
      expect(await refusal(more)).toMatchObject({ code: 'memory_not_found', field: 'supersedes' })
    }
    expect(await everyRow(test.service)).toEqual(rows)
    expect(at(await other.call('recall'), 'messages', 0)).not.toHaveProperty('supersededBy')
  })
})
