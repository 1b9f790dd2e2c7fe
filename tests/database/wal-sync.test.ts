// On SQLite nothing is acknowledged before it has reached the disk, and many commits reach it together.
import { copyFile, type FileHandle, open, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { checkpoint } from '../../src/database/checkpoint.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { afterCommit } from '../../src/database/guard.ts'
import { makeTestPlace } from '../support/databases.ts'

let database: Database
let remove: () => Promise<unknown>
let handles: FileHandle
let location: string
beforeEach(async () => {
  const place = await makeTestPlace('sqlite')
  remove = place.remove
  location = `${place.dataDir}/mindgate.db`
  const onIdleError = () => undefined
  database = await openDatabase({ location, maxConnections: 1, busyDeadlineMs: 5_000, onIdleError })
  await write('before')
  const own = await open(location)
  handles = Object.getPrototypeOf(own)
  await own.close()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await database.close()
  await remove()
})

const write = (name: string, act = () => undefined) =>
  database.transaction(async (tx) => {
    afterCommit(act)
    await tx.insertInto('setting').values({ name, value: '1' }).execute()
    return name
  })

const names = async () =>
  (
    await database.read
      .selectFrom('setting')
      .where('name', '<>', 'schemaMajor')
      .select('name')
      .orderBy('name')
      .execute()
  ).map(({ name }) => name)

/** What is waited for comes at once, unless the machine has other things to do. */
const BUSY = 10_000

/** The disk, which takes as long as the test lets it. */
function slowDisk() {
  const waiting: ((error?: Error) => void)[] = []
  const datasync = vi.spyOn(handles, 'datasync').mockImplementation(
    () =>
      new Promise((resolve, reject) => {
        waiting.push((error) => (error ? reject(error) : resolve()))
      })
  )
  return {
    datasync,
    async next(error?: Error) {
      await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0), BUSY)
      waiting.shift()?.(error)
    }
  }
}

it('acknowledges a write, and acts on it, once it has reached the disk', async () => {
  const disk = slowDisk()
  const done: string[] = []
  const written = write('one', () => void done.push('acted')).then((name) => done.push(name))
  await vi.waitFor(async () => expect(await names()).toContain('one'), BUSY)
  expect(done).toEqual([])
  await disk.next()
  await written
  expect(done).toEqual(['acted', 'one'])
})

it('has writes that come meanwhile reach it together, and not with what was under way before them', async () => {
  const disk = slowDisk()
  const done: string[] = []
  const first = write('first').then((name) => done.push(name))
  await vi.waitFor(() => expect(disk.datasync).toHaveBeenCalledOnce(), BUSY)
  const others = Array.from({ length: 10 }, (_, number) =>
    write(`other ${number}`).then((name) => done.push(name))
  )
  await vi.waitFor(async () => expect(await names()).toHaveLength(12), BUSY)
  await disk.next()
  await first
  expect(done).toEqual(['first'])
  await disk.next()
  await Promise.all(others)
  expect(done).toHaveLength(11)
  expect(disk.datasync).toHaveBeenCalledTimes(2)
})

it('says of a write that can’t reach it that the database is unavailable, and of later ones until the file has all', async () => {
  const disk = slowDisk()
  const refused = expect(write('lost')).rejects.toMatchObject({ code: 'database_unavailable' })
  await disk.next(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }))
  await refused
  expect(await database.takesWrites()).toBe(false)
  disk.datasync.mockRestore()
  // A reader keeps the log from being taken in whole: what stands behind a hole in it would be lost with that.
  const reader = new Sqlite(location, { readonly: true })
  reader.exec('begin')
  reader.prepare('select * from setting').all()
  await expect(write('behind it')).rejects.toMatchObject({ code: 'database_unavailable' })
  await expect(database.settled()).rejects.toMatchObject({ code: 'database_unavailable' })
  reader.close()
  expect(await write('next')).toBe('next')
  expect(await names()).toEqual(['before', 'behind it', 'lost', 'next'])
})

it('tells nobody of what has yet to reach it, who has only looked', async () => {
  const disk = slowDisk()
  const done: string[] = []
  const written = write('one').then(() => done.push('written'))
  await vi.waitFor(async () => expect(await names()).toContain('one'), BUSY)
  const seen = database
    .transaction((tx) => tx.selectFrom('setting').where('name', '=', 'one').selectAll().execute())
    .then(() => done.push('seen'))
  const settled = database.settled().then(() => done.push('settled'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(done).toEqual([])
  await disk.next()
  await Promise.all([written, seen, settled])
  expect(disk.datasync).toHaveBeenCalledOnce()
})

it('writes through a link to the file', async () => {
  const link = `${location}.link`
  await symlink(location, link)
  const linked = await openDatabase({
    location: link,
    maxConnections: 1,
    busyDeadlineMs: 5_000,
    onIdleError: () => undefined
  })
  await linked.transaction((tx) => tx.insertInto('setting').values({ name: 'linked', value: '1' }).execute())
  expect(await names()).toContain('linked')
  await linked.close()
})

it('has its log taken into the file off the event loop, now and then', async () => {
  const place = await makeTestPlace('sqlite')
  const location = `${place.dataDir}/mindgate.db`
  const taken: string[] = []
  const own = await openDatabase({
    location,
    maxConnections: 1,
    busyDeadlineMs: 5_000,
    onIdleError: () => undefined,
    checkpoint: async (file) => taken.push(file) > 0
  })
  const write = (value: string) =>
    own.transaction((tx) => tx.insertInto('setting').values({ name: value, value }).execute())
  for (let number = 1; number <= 50; number += 1) await write(String(number))
  expect(taken).toEqual([location])
  checkpoint(location)
  // Without its log the file has what was taken in, and nothing else.
  const alone = `${place.dataDir}/alone.db`
  await copyFile(location, alone)
  const copy = new Sqlite(alone, { readonly: true })
  expect(copy.prepare("select count(*) as count from setting where name between '0' and '9'").get()).toEqual({
    count: 50
  })
  copy.close()
  await own.close()
  await place.remove()
})

it('takes nothing for done while somebody else takes the log into the file', async () => {
  const reader = new Sqlite(location)
  reader.exec('begin; select * from setting')
  expect(checkpoint(location)).toBe(true)
  // It has the lock, and waits for the reader.
  const script = `const { workerData: { library, location } } = require('node:worker_threads')
    new (require(library))(location, { timeout: 60_000 }).pragma('wal_checkpoint(RESTART)')`
  const library = createRequire(import.meta.url).resolve('better-sqlite3')
  const other = new Worker(script, { eval: true, workerData: { library, location } })
  const ended = new Promise((resolve) => other.once('exit', resolve))
  await vi.waitUntil(() => !checkpoint(location), BUSY)
  reader.exec('commit')
  await ended
  expect(checkpoint(location)).toBe(true)
  reader.close()
})
