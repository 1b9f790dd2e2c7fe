// kill -9 of a process that holds one of everything: what runs beside it, or starts next, has it within seconds.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { claimFor, keptAnswer } from '../../src/idempotency/idempotency.ts'
import { createLog } from '../../src/log.ts'
import { openService, type Service } from '../../src/service.ts'
import { makeGate } from '../idempotency/gate.ts'
import { openPostOffice } from '../mail/post-office.ts'
import { databases } from '../support/databases.ts'
import { HONCHO_KEY, startHoncho } from '../support/honcho.ts'
import { openTestService } from '../support/service.ts'
import { sweepAll } from '../support/sweep.ts'
import { type Bundle, bundle } from './bundle.ts'

const PATIENCE = { timeout: 60_000, interval: 50 }

let program: Bundle
beforeAll(async () => {
  program = await bundle(new URL('./holding-process.ts', import.meta.url).pathname)
})
afterAll(() => program.remove())

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const startBeside = async (env: Record<string, string>): Promise<Service> => {
  const service = await openService(loadConfig(env), createLog('silent'))
  cleanups.push(() => service.close())
  service.start('https://mindgate.example')
  return service
}

/** Every table whose rows can be held, as the database knows them. */
async function leasedTables({ database }: Service): Promise<string[]> {
  const { rows } = await (database.kind === 'sqlite'
    ? sql<{ name: string }>`select m.name from sqlite_master m, pragma_table_info(m.name) c
        where m.type = 'table' and c.name = 'leaseOwner'`
    : sql<{ name: string }>`select table_name as name from information_schema.columns
        where column_name = 'leaseOwner'`
  ).execute(database.read)
  return rows.map(({ name }) => name).toSorted()
}

/** The tables in which that process holds a row. */
async function heldBy(service: Service, pid: number): Promise<string[]> {
  const tables = await leasedTables(service)
  const held = tables.map(async (table) => {
    const { rows } =
      await sql`select 1 from ${sql.table(table)} where "leaseOwner" like ${`%/${pid}.%`}`.execute(
        service.database.read
      )
    return rows.length > 0 ? [table] : []
  })
  return (await Promise.all(held)).flat()
}

describe.each(databases)('what a process held that was killed, on %s,', (kind) => {
  it.each(['beside it', 'next'])('is in the hand of the one that runs %s', async (when) => {
    const arrived = makeGate()
    let letters = 0
    const office = await openPostOffice({
      async onLetter() {
        letters += 1
        if (letters > 1) return
        arrived.open()
        await new Promise(() => undefined)
      }
    })
    cleanups.push(office.close)
    const honcho = await startHoncho()
    cleanups.push(honcho.close)
    honcho.behave('waits', { times: 1 })
    const opened = await openTestService(kind, {
      ...{ MAIL_URL: office.url, HONCHO_URL: honcho.url, HONCHO_KEY }
    })
    cleanups.push(opened.close)
    const { service, env } = opened
    const asked = honcho.asked(/./)
    const child = spawn(process.execPath, [program.file], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'inherit']
    })
    const ended = once(child, 'exit')
    cleanups.push(async () => {
      child.kill('SIGKILL')
      await ended
    })
    await Promise.all([arrived.opened, asked])

    const pid = child.pid ?? 0
    if (when === 'beside it') await startBeside(env)
    // As long as it runs nothing of it is taken.
    await sweepAll(service)
    expect(await heldBy(service, pid)).toEqual(await leasedTables(service))
    child.kill('SIGKILL')
    await ended
    if (when === 'next') await startBeside(env)

    const { read } = service.database
    await vi.waitFor(async () => {
      expect(await heldBy(service, pid)).toEqual([])
      expect(await read.selectFrom('mail').select('status').execute()).toEqual([{ status: 'sent' }])
      expect(await read.selectFrom('creditReservation').select('status').execute()).toEqual([
        { status: 'refunded' }
      ])
      // Its run may go on at the server, which is asked until it tells.
      expect(await read.selectFrom('chatExchange').select(['state', 'leaseOwner']).execute()).toEqual([
        { state: 'waiting', leaseOwner: expect.any(String) }
      ])
      expect(await read.selectFrom('honchoRemoval').selectAll().execute()).toEqual([])
      expect(await read.selectFrom('webhookDelivery').select('lastError').execute()).toEqual([
        { lastError: 'Its address is a private one.' }
      ])
      // Whoever takes it up finds no key to read calls with, and says so.
      expect(await read.selectFrom('usageSync').select(['dueAt', 'lastError']).execute()).toEqual([
        { dueAt: null, lastError: expect.stringContaining('No key is set') }
      ])
    }, PATIENCE)
    expect(office.received).toHaveLength(1)
    const { partnerId } = await read.selectFrom('idempotency').select('partnerId').executeTakeFirstOrThrow()
    // The same request may begin anew.
    expect(await keptAnswer(read, claimFor(partnerId, 'test_outside', 'key', {}))).toBeUndefined()
  })
})
