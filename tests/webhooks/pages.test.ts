// What the console shows of a webhook, whatever it is called.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { now } from '../../src/clock.ts'
import { enterConsole } from '../portal/console-visitor.ts'
import { startSites } from '../portal/sites.ts'
import { makePartner, run, stringAt, uniqueEmail } from '../support/fixture.ts'
import type { TestServer } from '../support/http.ts'

let server: TestServer
beforeAll(async () => {
  server = await startSites('sqlite')
})
afterAll(() => server.close())

it('says on the dashboard that events are lost, also where none fails', async () => {
  const partner = await makePartner(server.service)
  // Who has none is shown how to begin. It is there first, so that nothing is told that would look at what waits.
  const customer = { email: uniqueEmail(), firstName: 'Ada', lastName: 'Byron' }
  await run(server.service, partner.partnerId, 'customer_create', customer)
  const input = { url: 'https://hooks.invalid/"><xmp>', name: '<xmp>\u202eOurs</xmp>' }
  const added = await run(server.service, partner.partnerId, 'webhook_add', input)
  const console = await enterConsole(server, partner)
  expect((await console.get('')).text).not.toContain('Events are lost')
  await server.service.database.transaction((tx) =>
    tx.updateTable('webhook').set({ fullSince: now() }).where('partnerId', '=', partner.partnerId).execute()
  )
  const { text, html } = await console.get('')
  expect(text).toContain('Events are lost')
  expect(text).toContain('Too many wait.')
  const pages = [html, (await console.get('/webhooks')).html]
  pages.push((await console.get(`/webhooks/${stringAt(added, 'webhookId')}`)).html)
  for (const page of pages) {
    expect(page).toContain('&lt;xmp&gt;')
    expect(page).not.toContain('<xmp>')
  }
})
