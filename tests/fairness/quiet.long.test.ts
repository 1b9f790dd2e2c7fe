import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { expectUnnoticed, type Fixture, openFixture } from './fixture.ts'

describe('without an attack', () => {
  let fixture: Fixture<undefined>

  beforeAll(async () => {
    fixture = await openFixture({})
  })
  afterAll(() => fixture.close())

  it('nothing is noticed', async () => {
    expectUnnoticed(
      await fixture.measure((signal) => sleep(10_000, undefined, { signal }).catch(() => undefined))
    )
  })
})
