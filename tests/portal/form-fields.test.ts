import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { PageEnv } from '../../servers/portal/env.ts'
import { readForm } from '../../servers/portal/forms.ts'
import { processorTime } from '../support/processor-time.ts'

it('reads a form of one field in as little work as one of many, however often the field was sent', async () => {
  const app = new Hono<PageEnv>().post('/', async (c) => c.json((await readForm(c)).all('a').length))
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const read = async (count: number) => {
    const worked = processorTime()
    const answer = await app.request('/', { method: 'POST', body: 'a&'.repeat(count), headers })
    expect(await answer.json()).toBe(count)
    return worked()
  }
  await read(1_000)
  const quarter = await read(8_000)
  // Four times as much; work that grows with the square would be sixteen.
  expect(await read(32_000)).toBeLessThan(8 * quarter + 100)
})
