import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loadConfig } from '../../src/config.ts'
import { fetchJson } from '../../src/net/fetch-json.ts'

const BROKEN = 'hk-broken\nover-lines'

describe('a key that no header can have', () => {
  it.each(['LLM_KEY', 'HONCHO_KEY'])('is refused as %s, and not repeated', (name) => {
    const load = () => loadConfig({ [name]: BROKEN })
    expect(load).toThrow(`${name}: must have printable ASCII characters only`)
    expect(load).not.toThrow('broken')
  })

  it('is in no error and in no cause of one', async () => {
    const request = { bearer: BROKEN, timeoutMs: 1_000, maxBytes: 1_000 }
    const error = await fetchJson('http://127.0.0.1:9', z.unknown(), request).catch((thrown) => thrown)
    expect(error).toMatchObject({ fault: 'unreachable', cause: undefined })
  })
})

describe('an address with a password', () => {
  it.each(['LLM_URL', 'HONCHO_URL'])('is refused as %s, and not repeated', (name) => {
    const load = () => loadConfig({ [name]: 'https://ann:pass-9@models.example/v1' })
    expect(load).toThrow(`${name}: must have no user name`)
    expect(load).not.toThrow('pass-9')
  })
})
