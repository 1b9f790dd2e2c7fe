import { expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { deliverThroughKills } from './kills.ts'

it.each(databases)(
  '600 events arrive in order on %s, though processes are killed',
  { timeout: 90_000 },
  async (kind) => {
    const requests = await deliverThroughKills(kind, { events: 600, kills: 1, withinMs: 60_000 })
    // A third failed.
    expect(requests).toBeGreaterThan(750)
  }
)
