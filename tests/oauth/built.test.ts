// The service as it is shipped: the authorization server’s packages are loaded when it is first asked.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { environmentAt, type RunningService, startService } from '../support/cli.ts'
import { makeTestPlace, type TestPlace } from '../support/databases.ts'
import { authorizePath, makeClient, RESOURCES, redeem } from './by-hand.ts'

let place: TestPlace
let service: RunningService
beforeAll(async () => {
  place = await makeTestPlace('sqlite')
  service = await startService(environmentAt(place))
})
afterAll(async () => {
  await service.stop()
  await place.remove()
})

it('registers an app, sends its user to the page that decides, and refuses a code that it never gave', async () => {
  const { url } = service
  const clientId = await makeClient(url)
  const path = authorizePath(url, clientId, { resource: url + RESOURCES.partner })
  const begun = await fetch(url + path, { redirect: 'manual' })
  expect([begun.status, begun.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\/console\/connect\/[\w-]{43}$/)
  ])
  expect(await redeem(url, clientId, 'x'.repeat(43))).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' }
  })
  expect(service.stderr()).not.toContain('"level":"error"')
})
