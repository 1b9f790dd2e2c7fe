// A Mind of 50,000 memories: forgotten, asked and exported while another partner reads and writes.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { callTool } from '../mcp/tool-faces.ts'
import { expectUnnoticed, type Fixture, openFixture } from './fixture.ts'
import { askingOf, makeLargeMind } from './large-mind.ts'

const MEMORIES = 50_000

describe('a Mind of 50,000 memories', () => {
  let fixture: Fixture<string | undefined>

  beforeEach(async () => {
    fixture = await openFixture({
      make: (service, { attacker }) => makeLargeMind(service, attacker, MEMORIES)
    })
  })
  afterEach(() => fixture.close())

  const path = () =>
    `${fixture.url}/api/v1/mcp/customers/${fixture.attacker.customerId}/minds/${fixture.made}`
  const headers = () => ({ authorization: `Bearer ${fixture.attacker.partner.key}` })
  /** Asks deeply, and tells with which status it was answered. */
  const ask = async (question: string) => {
    const { status } = await callTool('plain HTTP', {
      url: fixture.url,
      gateway: 'customer',
      key: fixture.attacker.token,
      tool: 'internal_memory_ask',
      input: { question, mindId: fixture.made, reasoningLevel: 'deep' }
    })
    return status
  }
  const tell = (statuses: readonly number[]) => {
    const counts = new Map<number, number>()
    for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
    process.stdout.write(`${JSON.stringify(Object.fromEntries(counts))}\n`)
  }

  it('is forgotten', async () => {
    const figures = await fixture.measure(
      async (signal) => {
        const answer = await fetch(path(), { method: 'DELETE', headers: headers() })
        expect(answer.status).toBe(200)
        expect((await fetch(`${path()}/export`, { headers: headers() })).status).toBe(404)
        while (!signal.aborted) await sleep(50)
      },
      { attackMs: 15_000 }
    )
    expectUnnoticed(figures)
  })

  it('is asked a hundred deep questions at once, again and again', async () => {
    const question = askingOf(1)
    const statuses: number[] = []
    const figures = await fixture.measure(async (signal) => {
      while (!signal.aborted)
        statuses.push(...(await Promise.all(Array.from({ length: 100 }, () => ask(question())))))
    })
    tell(statuses)
    expect(statuses).toContain(200)
    expectUnnoticed(figures)
  })

  it('is asked one deep question after the other', async () => {
    const question = askingOf(2)
    const statuses: number[] = []
    const figures = await fixture.measure(async (signal) => {
      while (!signal.aborted) statuses.push(await ask(question()))
    })
    tell(statuses)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expectUnnoticed(figures)
  })

  it('is exported in a loop, four times at once', async () => {
    let exported = 0
    const figures = await fixture.measure(async (signal) => {
      const reader = async () => {
        while (!signal.aborted) {
          const answer = await fetch(`${path()}/export`, { headers: headers() })
          exported += (await answer.text()).split('\n').length - 1
        }
      }
      await Promise.all(Array.from({ length: 4 }, reader))
    })
    expect(exported % MEMORIES).toBe(0)
    expectUnnoticed(figures)
  })

  it('is exported a hundred times by somebody who doesn’t read', async () => {
    const leaving = new AbortController()
    const figures = await fixture.measure(async (signal) => {
      const unread = Array.from({ length: 100 }, () =>
        fetch(`${path()}/export`, { headers: headers(), signal: leaving.signal }).catch(() => undefined)
      )
      while (!signal.aborted) await sleep(50)
      leaving.abort()
      await Promise.all(unread)
    })
    expectUnnoticed(figures)
  })
})
