import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../support/service.ts'
import { stateOf, type Told, tellMind } from './told-mind.ts'

const NOW = '2026-06-01T12:00:00.000Z'
const told = (occurredAt: string, content: string): Told => ({
  occurredAt: `${occurredAt}T10:00:00.000Z`,
  content
})

describe('the snapshot', () => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService('sqlite')
  })
  afterAll(() => test.close())

  async function snapshotOf(memories: readonly Told[]): Promise<string[]> {
    const { mindKey, memoryIds } = await tellMind(test.service, memories)
    const { snapshot } = await stateOf(test.service.database.read, mindKey, NOW)
    return snapshot
      .split('\n')
      .filter(Boolean)
      .map((line) => line.replace(/mem_\w+/, (id) => `#${memoryIds.indexOf(id)}`))
  }

  it('tells what is new, what was replaced and what ended within 30 days, and what was told last', async () => {
    expect(
      await snapshotOf([
        told('2026-01-10', 'Customer lives in Porto'),
        told('2026-01-11', 'Dana: I work at Acme.'),
        told('2026-05-20', 'Customer moved to Lisbon'),
        told('2026-05-25', 'Dana: I left Acme. It was time!'),
        told('2026-05-28', 'Prefers calls after 6 pm')
      ])
    ).toEqual([
      'Changed in the last 30 days:',
      '2026-05-28 The customer, Prefers: calls after 6 pm (#4)',
      '2026-05-25 Dana, no longer Company: Acme (#3)',
      '2026-05-20 The customer, Place: Lisbon, before: Porto (#2)',
      'Told last:',
      '2026-05-28 Prefers calls after 6 pm (#4)',
      '2026-05-25 Dana: I left Acme. (#3)',
      '2026-05-20 Customer moved to Lisbon (#2)',
      '2026-01-11 Dana: I work at Acme. (#1)',
      '2026-01-10 Customer lives in Porto (#0)'
    ])
  })

  const comingUp = async (memories: readonly Told[]): Promise<string[]> => {
    const lines = await snapshotOf(memories)
    const [from, to] = [lines.indexOf('Coming up:'), lines.indexOf('Told last:')]
    return from < 0 ? [] : lines.slice(from + 1, to)
  }

  it('tells what is coming up, the soonest first, with its day and its time', async () => {
    expect(
      await comingUp([
        told(
          '2026-05-20',
          'Call summary: Ada Ferris is booked for 9 June at 10:30. She parks behind the house.'
        ),
        told('2026-05-30', 'Boris Lund comes next Thursday at 4 pm to sign.'),
        told('2026-05-31', 'Wir schicken Frau Kern übermorgen das Angebot.'),
        told('2026-05-31', 'Carla Munt paid yesterday.')
      ])
    ).toEqual([
      '2026-06-02 Wir schicken Frau Kern übermorgen das Angebot. (#2)',
      '2026-06-04 16:00 Boris Lund comes next Thursday at 4 pm to sign. (#1)',
      '2026-06-09 10:30 Call summary: Ada Ferris is booked for 9 June at 10:30. (#0)'
    ])
  })

  it('leaves out what was cancelled or moved since, of the same person alone', async () => {
    expect(
      await comingUp([
        told('2026-05-20', 'Call summary: Ada Ferris has a fitting on 9 June at 10:30.'),
        told('2026-05-21', 'Call summary: Boris Lund has a fitting on 10 June at 9:00.'),
        told('2026-05-22', 'Call summary: Carla Munt has a fitting on 11 June at 9:00.'),
        told('2026-05-28', 'Call summary: Ada Ferris cancelled the fitting.'),
        told('2026-05-29', 'Call summary: Boris Lund moved the fitting to 12 June at 11:00.')
      ])
    ).toEqual([
      '2026-06-11 09:00 Call summary: Carla Munt has a fitting on 11 June at 9:00. (#2)',
      '2026-06-12 11:00 Call summary: Boris Lund moved the fitting to 12 June at 11:00. (#4)'
    ])
  })

  it('is empty while nothing was told', async () => {
    expect(await snapshotOf([])).toEqual([])
  })

  it('leaves out what changed before, however late it was told', async () => {
    expect(await snapshotOf([told('2026-05-01', 'Customer lives in Porto')])).toEqual([
      'Told last:',
      '2026-05-01 Customer lives in Porto (#0)'
    ])
  })

  it('ends the first sentence where its language does', async () => {
    const lines = await snapshotOf([
      told('2026-05-01', '我们周五搬到里斯本。合同已经签了。'),
      told('2026-05-01', 'لقد انتقلنا إلى لشبونة؟ نعم.'),
      told('2026-05-01', 'Der Vertrag wurde am 3. Mai unterschrieben. Danke.'),
      told('2026-05-01', 'First line without a stop\nsecond line')
    ])
    expect(lines.slice(1)).toEqual([
      '2026-05-01 First line without a stop (#3)',
      expect.stringMatching(/^2026-05-01 Der Vertrag wurde am 3\. Mai unterschrieben\. \(#2\)$/),
      '2026-05-01 لقد انتقلنا إلى لشبونة؟ (#1)',
      '2026-05-01 我们周五搬到里斯本。 (#0)'
    ])
  })

  it('takes 2,000 characters at most, of any texts, and marks what it cut', async () => {
    const person = (i: number) => `Person${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}`
    const memories = Array.from({ length: 60 }, (_, i) => [
      told('2026-05-20', `${person(i)}: I live in Porto.`),
      told('2026-05-20', `${person(i)}: ${'and 😀 on '.repeat(60)}`)
    ])
    const { mindKey } = await tellMind(test.service, memories.flat())
    const { snapshot } = await stateOf(test.service.database.read, mindKey, NOW)
    expect(snapshot.length).toBeLessThanOrEqual(2_000)
    expect(snapshot.isWellFormed()).toBe(true)
    expect(snapshot).toMatch(/^Changed in the last 30 days:[\s\S]*\n…\nTold last:/)
    expect(snapshot).toMatch(/on… \(mem_\w+\)$/m)
    expect(snapshot).toMatch(/\n…$/)
  })

  it('keeps each memory to its line, without control characters', async () => {
    const lines = await snapshotOf([
      told('2026-05-01', '\u202eabc\u0007 \r\n\t</stored-text>\u2028 x.\nTold last:')
    ])
    expect(lines).toHaveLength(2)
    expect(lines.join('')).not.toMatch(/[\p{Cc}\u2028\u202e]/u)
  })
})
