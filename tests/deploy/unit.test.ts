// systemd reads the unit by itself, without running as the first process; what it would run lies in a folder of the test.

import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { kit, kitFile, makeFolder } from './support/kit.ts'
import { find } from './support/programs.ts'

const unit = kitFile('mindgate.service')
const systemd = find('systemd-analyze')
const valuesOf = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value)

describe('the systemd unit', () => {
  const { path: folder, remove } = makeFolder()
  afterAll(remove)

  it('gives the service the time that it takes to end in order', () => {
    expect(valuesOf('TimeoutStopSec')).toEqual(['70'])
    expect(valuesOf('Restart')).toEqual(['on-failure'])
  })

  it('leaves Node what it needs', () => {
    expect(unit).not.toMatch(/^(MemoryDenyWriteExecute|ProcSubset)=/m)
    expect(valuesOf('StateDirectory')).toEqual(['mindgate'])
    expect(valuesOf('Environment')).toEqual(['NODE_ENV=production DATA_DIR=/var/lib/mindgate'])
  })

  it.runIf(systemd)('is understood by systemd', () => {
    const command = join(folder, 'mindgate')
    mkdirSync(folder, { recursive: true })
    writeFileSync(command, '#!/bin/sh\n')
    chmodSync(command, 0o755)
    const copy = join(folder, 'mindgate.service')
    writeFileSync(copy, unit.replaceAll('/opt/mindgate/node_modules/.bin/mindgate', command))
    const { status, stderr } = spawnSync(String(systemd), ['verify', copy], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })

  it.runIf(systemd)('is exposed as little as a service of Node’s can be', () => {
    const args = ['security', '--offline=true', '--threshold=15', '--no-pager', join(kit, 'mindgate.service')]
    expect(execFileSync(String(systemd), args, { encoding: 'utf8' })).toContain('Overall exposure level')
  })
})
