// One process on SQLite, and what befalls the file.
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { at } from '../support/fixture.ts'
import { comeThrough } from './fault.ts'
import { type Kit, openKit } from './kit.ts'

/** Room for what these tests write, ten times over. */
const DISK_MB = 128

describe('one process on SQLite', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mindgate-disk-'))
  const ballast = join(dataDir, 'ballast')
  let kit: Kit

  beforeAll(async () => {
    // A disk of its own takes root.
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', dataDir])
    const place = { dataDir, databaseUrl: undefined, remove: async () => undefined }
    kit = await openKit({ place, environments: [{}] })
  })
  afterAll(async () => {
    await kit?.close()
    execFileSync('umount', [dataDir])
    rmdirSync(dataDir)
  })

  it('comes through a lock that another process holds for 12 s', () => {
    const file = join(dataDir, 'mindgate.db')
    let holder: ChildProcess
    return comeThrough(kit, {
      name: 'SQLite locked by another process for 12 s',
      lastsMs: 12_000,
      begin() {
        holder = fork(join(import.meta.dirname, '../fairness/lock-holder.mjs'), [file])
        return once(holder, 'message')
      },
      end: () => holder.disconnect(),
      untouched: ['recall']
    })
  })

  it('comes through a disk that is full for 10 s', () =>
    comeThrough(kit, {
      name: 'the disk of SQLite full for 10 s',
      lastsMs: 10_000,
      async begin() {
        fill(ballast)
        // What the log of writes has room for already is still taken.
        await vi.waitUntil(async () => (await kit.fleet.ready()) === 0, { timeout: 100_000 })
      },
      end: () => rmSync(ballast),
      untouched: ['recall']
    }))
})

/** Takes whatever room there is, byte by byte at the end. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w')
  for (let size = 2 ** 20; size >= 1; ) {
    try {
      writeSync(descriptor, Buffer.alloc(size))
    } catch (error) {
      if (at(error, 'code') !== 'ENOSPC') throw error
      size /= 2
    }
  }
  closeSync(descriptor)
}
