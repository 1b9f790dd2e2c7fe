// What goes on by itself neither gives up nor blames its work for a database that takes no writes.
import { sql } from 'kysely'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Batch } from '../../src/memory/jobs/work.ts'
import { startMindWork } from '../../src/memory/jobs/worker.ts'
import type { Service } from '../../src/service.ts'
import { startDeployFixture } from '../instances/deploy-fixture.ts'
import { tellMind } from '../memory/told-mind.ts'
import { openTestService } from '../support/service.ts'
import { leaveLittleRoom, limitPages, TOO_MUCH } from './outages.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

const makeRoom = (service: Service) => limitPages(service, 2 ** 30)

describe('while the disk is full', () => {
  it('the work behind a Mind is put off, and no memory is put aside for it', async () => {
    const test = await openTestService('sqlite')
    opened.push(test)
    const { database, log } = test.service
    const { mindKey } = await tellMind(test.service, ['one'])
    await database.transaction((tx) => sql`create table filler (bytes blob)`.execute(tx))
    await leaveLittleRoom(test.service)
    const perform = vi.fn(async (_: Batch) => ({
      apply: async (tx: Parameters<Parameters<typeof database.transaction>[0]>[0]) => {
        await sql.raw(`insert into filler values (${TOO_MUCH})`).execute(tx)
      },
      usage: []
    }))
    const worker = startMindWork(
      { database, log, lookMs: 60_000 },
      {
        kind: 'consolidate',
        maxBatch: 3,
        dueAfter: 1,
        maxAgeMs: 60_000,
        concurrency: 1,
        deadlineMs: 10_000,
        madeWith: null,
        perform
      }
    )
    await worker.drain()
    const job = await database.read
      .selectFrom('mindJob')
      .where('mindKey', '=', mindKey)
      .select(['attempts', 'refusals', 'watermark'])
      .executeTakeFirst()
    expect(perform).toHaveBeenCalledTimes(1)
    expect(job).toEqual({ attempts: 1, refusals: 0, watermark: 0 })
    await worker.stop()
  })

  it('a deploy waits, and goes on to its end', async () => {
    const ground = await startDeployFixture('sqlite', { times: { leaseMs: 1_000 } })
    opened.push(ground)
    const { service, logs } = ground.server
    const instance = await ground.instance()
    await service.database.transaction(async (tx) => {
      await sql`create table filler (bytes blob)`.execute(tx)
      await sql
        .raw(
          `create trigger uploading before update of phase on deploy when new.phase = 'uploaded'
            begin insert into filler values (${TOO_MUCH}); end`
        )
        .execute(tx)
    })
    await leaveLittleRoom(service)
    expect((await ground.deploy(instance)).status).toBeLessThan(300)
    await vi.waitFor(() => expect(logs.join('')).toContain('a deploy could not be followed'), 30_000)
    await makeRoom(service)
    expect(await ground.ended(instance)).toMatchObject({ state: 'succeeded' })
  })
})
