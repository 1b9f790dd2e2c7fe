import { Hono } from 'hono'
import { expect, it } from 'vitest'
import type { PageEnv } from '../../servers/portal/env.ts'
import { readForm } from '../../servers/portal/forms.ts'

it('reads a form of one field in no time, however often it was sent', async () => {
  const app = new Hono<PageEnv>().post('/', async (c) => c.json((await readForm(c)).all('a').length))
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const startedAt = performance.now()
  const answer = await app.request('/', { method: 'POST', body: 'a&'.repeat(32_000), headers })
  expect(await answer.json()).toBe(32_000)
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})
