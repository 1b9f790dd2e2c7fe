import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { expectUnnoticed, openStage, type Stage } from './stage.ts'

describe('without an attack', () => {
  let stage: Stage<undefined>

  beforeAll(async () => {
    stage = await openStage({})
  })
  afterAll(() => stage.close())

  it('nothing is noticed', async () => {
    expectUnnoticed(
      await stage.measure((signal) => sleep(10_000, undefined, { signal }).catch(() => undefined))
    )
  })
})
