import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService } from '../../src/service.ts'
import { type Environment, environmentAt, mindgate } from '../support/cli.ts'
import { makeTestPlace, type TestPlace } from '../support/databases.ts'
import { at, makeFixture, makePartner, stringAt, type TestPartner } from '../support/fixture.ts'

describe('mail', () => {
  let place: TestPlace
  let env: Environment
  let partner: TestPartner

  beforeAll(async () => {
    place = await makeTestPlace('sqlite')
    env = environmentAt(place)
    const service = await openService(loadConfig(env), createLog('silent'))
    partner = await makePartner(service)
    await makeFixture(service, partner.partnerId)
    await service.close()
  })
  afterAll(() => place.remove())

  const list = async (): Promise<unknown> =>
    JSON.parse((await mindgate(env, ['mail', 'list', '--partner', partner.slug, '--json'])).stdout)

  it('is listed, and sent again with a new one for the running service to send', async () => {
    const before = await list()
    expect(before).toHaveLength(2)
    const mailId = stringAt(before, 0, 'id')
    const resent = await mindgate(env, [
      ...['mail', 'resend', '--partner', partner.slug, '--mail', mailId, '--json']
    ])
    expect(resent).toMatchObject({ code: 0 })
    const after = await list()
    expect(after).toHaveLength(3)
    expect(at(after, 0)).toMatchObject({ template: at(before, 0, 'template'), status: 'queued' })
  })

  it('of nobody is not sent again', async () => {
    const refused = await mindgate(env, [
      'mail',
      'resend',
      '--partner',
      partner.slug,
      '--mail',
      'mail_nothing'
    ])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('no mail with this id') })
  })
})
