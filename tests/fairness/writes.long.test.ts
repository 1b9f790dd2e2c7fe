import { afterAll, beforeAll, describe, it } from 'vitest'
import { expectUnnoticed, type Fixture, openFixture } from './fixture.ts'

const CONNECTIONS = 100

describe('one partner’s writes', () => {
  let fixture: Fixture<undefined>

  beforeAll(async () => {
    fixture = await openFixture({})
  })
  afterAll(() => fixture.close())

  it('delay nobody, over however many connections they come', async () => {
    const { attacker, url } = fixture
    const change = async (signal: AbortSignal) => {
      for (let count = 0; !signal.aborted; count += 1) {
        const answer = await fetch(`${url}/api/v1/mcp/customers/${attacker.customerId}`, {
          method: 'PATCH',
          headers: {
            authorization: `Bearer ${attacker.partner.key}`,
            'content-type': 'application/json'
          },
          body: JSON.stringify({ lastName: `Byron ${count}` })
        })
        await answer.text()
      }
    }
    expectUnnoticed(
      await fixture.measure(async (signal) => {
        await Promise.all(Array.from({ length: CONNECTIONS }, () => change(signal)))
      })
    )
  })
})
