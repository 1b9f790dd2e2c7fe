// What a proxy learns before it gets a certificate for a host.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { updatePartner } from '../../src/partners/store.ts'
import { startTestServer, type TestServer } from '../support/http.ts'

describe('the certificate question', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer('sqlite', { PUBLIC_URL: 'https://voice.example.com' })
  })
  afterAll(() => server.close())

  const ask = async (query: string) => (await fetch(`${server.url}/api/whitelabel/host${query}`)).status
  const change = (changes: Parameters<typeof updatePartner>[2]) =>
    server.service.database.transaction((tx) => updatePartner(tx, server.partner.partnerId, changes))

  it('is answered with yes for the host of PUBLIC_URL, however it is written', async () => {
    expect(await ask('?domain=voice.example.com')).toBe(200)
    expect(await ask('?domain=VOICE.example.com')).toBe(200)
  })

  it('is answered with yes for a host that was approved, as long as it is and its partner is active', async () => {
    const isServed = () => ask('?domain=portal.acme.example')
    expect(await isServed()).toBe(404)
    await change({ portalOrigin: 'https://portal.acme.example' })
    expect(await isServed()).toBe(200)
    await change({ isActive: false })
    expect(await isServed()).toBe(404)
    await change({ isActive: true, portalOrigin: null })
    expect(await isServed()).toBe(404)
  })

  it('is answered with no for anything else', async () => {
    for (const query of [
      '',
      '?domain=',
      '?domain=evil.example',
      '?domain=x.voice.example.com',
      '?domain=%00'
    ]) {
      expect([query, await ask(query)]).toEqual([query, 404])
    }
  })
})
