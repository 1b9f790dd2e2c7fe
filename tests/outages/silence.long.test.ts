// A server that is cut off without a word: no connection is closed, and nothing comes.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeTestPlace } from '../support/databases.ts'
import { relayTo } from '../support/listen.ts'
import { openTestService } from '../support/service.ts'

describe('a PostgreSQL that falls silent', () => {
  it('is away once a statement could no longer be under way', async () => {
    const place = await makeTestPlace('postgres')
    const direct = new URL(place.databaseUrl ?? '')
    const relay = await relayTo(Number(direct.port))
    direct.port = String(relay.port)
    const test = await openTestService('sqlite', { DATABASE_URL: direct.href })
    const ask = () => sql`select 1`.execute(test.service.database.read)
    await ask()
    relay.freeze()
    await expect(ask()).rejects.toMatchObject({ code: 'database_unavailable' })
    await ask()
    await test.close()
    await relay.close()
    await place.remove()
  })
})
