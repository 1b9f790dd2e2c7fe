// The host that the operator approves for a partner's portal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { answerOf, type Environment, environmentAt, makePartner, mindgate } from '../support/cli.ts'
import { makeTestPlace, type TestPlace } from '../support/databases.ts'

const Changed = z.object({ portalOrigin: z.string().nullable() })

describe('the host of a partner’s portal', () => {
  let place: TestPlace
  let env: Environment
  beforeAll(async () => {
    place = await makeTestPlace('sqlite')
    env = environmentAt(place, { PUBLIC_URL: 'https://mindgate.example' })
    await makePartner(env, 'Acme')
    await makePartner(env, 'Other')
  })
  afterAll(() => place.remove())

  const approve = (partner: string, origin: string) =>
    answerOf(Changed, env, 'partner', 'update', '--partner', partner, '--portal-origin', origin)

  it('is set, shown as an origin, and taken away again', async () => {
    expect(await approve('acme', 'https://Portal.Acme.example/')).toEqual({
      portalOrigin: 'https://portal.acme.example'
    })
    expect(await approve('acme', '')).toEqual({ portalOrigin: null })
    expect(await approve('acme', 'http://localhost:8080')).toEqual({ portalOrigin: 'http://localhost:8080' })
  })

  it.each([
    ['plain http elsewhere', 'http://portal.acme.example', 'https://'],
    ['a path', 'https://portal.acme.example/acme', 'nothing behind it'],
    ['a password', 'https://ada:secret@portal.acme.example', 'nothing behind it'],
    ['a bare name', 'portal.acme.example', 'https://portal.acme.example'],
    ['our own host', 'https://mindgate.example', 'host of its own']
  ])('is refused with %s', async (_, origin, words) => {
    const { code, stderr } = await mindgate(env, [
      ...['partner', 'update', '--partner', 'acme', '--portal-origin', origin]
    ])
    expect(code).not.toBe(0)
    expect(stderr).toContain(words)
  })

  it('is refused when another partner’s portal stands there', async () => {
    await approve('acme', 'https://shared.example')
    const { code, stderr } = await mindgate(env, [
      ...['partner', 'update', '--partner', 'other', '--portal-origin', 'https://shared.example']
    ])
    expect(code).not.toBe(0)
    expect(stderr).toContain('The portal of acme stands on shared.example')
  })
})
