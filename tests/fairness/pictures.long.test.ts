// A partner that uploads many pictures at once, each of which promises as many pixels as it may, or far more.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { png } from '../brand/images.ts'
import { flood, makeConsoleUser, signIn } from './attacks.ts'
import { expectUnnoticed, type Fixture, openFixture } from './fixture.ts'

describe('20 pictures at once', () => {
  let fixture: Fixture<{ greedy: string; modest: string } | undefined>
  let cookie: string

  beforeAll(async () => {
    fixture = await openFixture({
      make: async (service, { attacker, bystander }) => ({
        greedy: await makeConsoleUser(service, attacker.partner.partnerId),
        modest: await makeConsoleUser(service, bystander.partner.partnerId)
      })
    })
    const { url, ...rest } = signIn(`${fixture.url}/console`, fixture.made?.greedy ?? '')
    const answer = await fetch(url, rest)
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  })
  afterAll(() => fixture.close())

  const attackWith = (picture: Uint8Array<ArrayBuffer>, status: number) => async (signal: AbortSignal) => {
    const counts = await flood(signal, 20, () => {
      const body = new FormData()
      body.append('logo', new File([picture], 'logo.png'))
      const headers = { cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' }
      return fetch(`${fixture.url}/console/brand/logo`, { method: 'POST', headers, body, redirect: 'manual' })
    })
    expect(counts[status]).toBeGreaterThan(0)
  }

  // Filled up behind the end, so that a whole file has to be read of each.
  const picture = (side: number, bitDepth: 8 | 16) => {
    const made = png({ width: side, height: side, bitDepth })
    return new Uint8Array(Buffer.concat([made, Buffer.alloc(500_000 - made.length)]))
  }

  it.each([
    ['of four million pixels', () => picture(2048, 8), 303],
    ['of sixteen million pixels of 16 bits', () => picture(4096, 16), 400]
  ])('%s are not noticed by who reads, writes and signs in', async (_, make, status) => {
    const shots = [...fixture.shots, signIn(`${fixture.url}/console`, fixture.made?.modest ?? '')]
    expectUnnoticed(await fixture.measure(attackWith(make(), status), { shots }))
  })
})
