// Files put on a customer's server: whole or not at all, with the mode asked for, and nothing left of a failure.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SshConnections } from '../../src/instances/ssh/connections.ts'
import type { SshTarget } from '../../src/instances/ssh/target.ts'
import { listen } from '../support/listen.ts'
import type { Sshd } from '../support/openssh.ts'
import { faultOf, openConnections, startServer, targetOf, until } from './ssh-server.ts'

const TIMEOUT_MS = 30_000

describe.each([
  ['where there is SFTP', { config: [] }],
  ['where there is no SFTP', { config: ['Subsystem sftp /there/is/none'] }],
  [
    'where start-up files speak in between',
    { config: ['Subsystem sftp echo Welcome to this server; cat >/dev/null'] }
  ]
])('a file %s', (_, options) => {
  let server: Sshd
  let ssh: SshConnections
  let target: SshTarget
  let folder: string

  beforeAll(async () => {
    server = await startServer(options)
    ssh = openConnections()
    target = targetOf(server)
  })
  beforeEach(() => {
    folder = join(server.home, 'files')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
  })
  afterAll(async () => {
    await ssh.close()
    await server.remove()
  })

  const write = (path: string, content: Uint8Array, mode = 0o600) =>
    ssh.writeFile(target, { path, content, mode, timeoutMs: TIMEOUT_MS })

  it.each([0, 1, 40_000, 300_000])('of %d bytes arrives byte for byte', async (size) => {
    const content = randomBytes(size)
    const path = join(folder, 'it’s a "file"')
    await write(path, content)
    expect(readFileSync(path).equals(content)).toBe(true)
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it.each([0o600, 0o700, 0o644, 0o666])('has the mode %o, whatever the server’s umask', async (mode) => {
    const path = join(folder, 'file')
    await write(path, Buffer.from('x'), mode)
    expect(statSync(path).mode & 0o7777).toBe(mode)
  })

  it('replaces the former one in one step', async () => {
    const path = join(folder, 'file')
    writeFileSync(path, 'former')
    const seen = new Set<string>()
    const watcher = watch(folder, () => seen.add(readFileSync(path, 'utf8').slice(0, 6)))
    await write(path, Buffer.from('later '.repeat(10_000)))
    watcher.close()
    seen.add(readFileSync(path, 'utf8').slice(0, 6))
    expect([...seen].filter((text) => text !== 'former' && text !== 'later ')).toEqual([])
    expect(readFileSync(path, 'utf8')).toHaveLength(60_000)
  })

  it('for which there is no folder, or a folder in its place, is refused, and leaves nothing behind', async () => {
    const nowhere = await faultOf(write(join(folder, 'none', 'file'), Buffer.from('x')))
    expect(nowhere.fault).toBe('write_failed')
    mkdirSync(join(folder, 'taken', 'full'), { recursive: true })
    const taken = await faultOf(write(join(folder, 'taken'), Buffer.from('x')))
    expect(taken.fault).toBe('write_failed')
    expect(readdirSync(folder)).toEqual(['taken'])
  })

  it('of which the connection brought a part stays as it was', async () => {
    const path = join(folder, 'file')
    writeFileSync(path, 'former')
    // The first of the two messages that the content takes comes through.
    let left = 45_000
    const relay = await listen((near) => {
      const far = connect(server.port, server.host).on('error', () => {})
      far.pipe(near).once('close', () => far.destroy())
      near.on('data', (chunk) => {
        if (left > 0) far.write(chunk.subarray(0, left))
        left -= chunk.length
      })
    })
    const cut = { ...target, instanceId: 'ins_cut', port: relay.port }
    const file = { path, content: randomBytes(49_152), mode: 0o600, timeoutMs: TIMEOUT_MS }
    const fault = faultOf(ssh.writeFile(cut, file))
    await until(() => readdirSync(folder).some((name) => statSync(join(folder, name)).size > 10))
    await relay.close()
    expect(await fault).toEqual({ fault: 'connection_lost', hasNotBegun: false })
    await until(() => readdirSync(folder).length === 1)
    expect(readFileSync(path, 'utf8')).toBe('former')
  })

  it('isn’t written for one who has called off', async () => {
    const path = join(folder, 'file')
    const signal = AbortSignal.abort()
    const file = { path, content: Buffer.from('x'), mode: 0o600, timeoutMs: TIMEOUT_MS, signal }
    expect(await faultOf(ssh.writeFile(target, file))).toEqual({ fault: 'cancelled', hasNotBegun: true })
    expect(readdirSync(folder)).toEqual([])
  })
})
