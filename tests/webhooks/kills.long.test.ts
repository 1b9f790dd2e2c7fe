import { expect, it } from 'vitest'
import { databases } from '../support/databases.ts'
import { deliverThroughKills } from './kills.ts'

it.each(databases)(
  '10,000 events arrive in order on %s, though processes are killed',
  { timeout: 900_000 },
  async (kind) => {
    const requests = await deliverThroughKills(kind, { events: 10_000, kills: 4, withinMs: 600_000 })
    expect(requests).toBeGreaterThan(12_500)
  }
)
