// What of a hostile archive, which another server may have made, gets onto a server; and what a hostile server gets out of us.
import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packScript } from '../../src/catalog/care.ts'
import { sshTarget } from '../../src/instances/store.ts'
import { placeOf } from '../../src/instances/try-out.ts'
import { hermes, namesIn, put, startBackupFixture } from './backup-fixture.ts'
import { PATIENT, type Sandbox } from './chat-fixture.ts'

let fixture: Awaited<ReturnType<typeof startBackupFixture>>
beforeAll(async () => {
  fixture = await startBackupFixture()
})
afterAll(() => fixture.close())

describe('a hostile archive', PATIENT, () => {
  const home = (folder: string) => put(join(folder, '.hermes/memories/MEMORY.md'), 'fine\n')
  const refusal = (words: string) => ({
    status: 400,
    body: { code: 'instance_unreachable', error: expect.stringContaining(words) }
  })

  it('writes nothing outside, and only its plain files and folders stay', async () => {
    const box = await fixture.sandbox()
    const target = join(fixture.scratch, 'outside')
    put(join(target, 'precious'), 'precious\n')
    const links = fixture.packed((folder) => {
      home(folder)
      symlinkSync(target, join(folder, '.hermes/way-out'))
      symlinkSync('/etc/passwd', join(folder, '.hermes/passwd'))
      const rest =
        'mkfifo pipe; echo x >tool; chmod 6755 tool; ln tool again; mkdir -m 1777 open; echo root >config.yaml'
      execFileSync('sh', ['-c', rest], { cwd: join(folder, '.hermes') })
    })
    const configuration = readFileSync(hermes(box, 'config.yaml'), 'utf8')
    expect(await fixture.restored(box, links)).toMatchObject({ status: 200 })
    expect(readdirSync(hermes(box)).toSorted()).toEqual(['config.yaml', 'memories', 'open'])
    expect(readFileSync(hermes(box, 'config.yaml'), 'utf8')).toBe(configuration)
    expect((statSync(hermes(box, 'open')).mode & 0o7777).toString(8)).toBe('700')
    expect((statSync(hermes(box, 'memories/MEMORY.md')).mode & 0o7777).toString(8)).toBe('600')

    const upwards = ['-P', '--transform', 's,^dropped$,.hermes/../../../dropped,', '.hermes', 'dropped']
    const absolute = ['-P', '--transform', `s,^dropped$,${target}/dropped,`, '.hermes', 'dropped']
    for (const options of [upwards, absolute])
      await fixture.restored(
        box,
        fixture.packed(
          (folder) => {
            home(folder)
            put(join(folder, 'dropped'), 'dropped\n')
          },
          ...options
        )
      )
    // A link first, and then a file below it; and one more name for a file outside.
    const [file, other] = [join(fixture.scratch, 'through.tar'), join(fixture.scratch, 'through')]
    const append =
      'gzip -dc >"$0" && mkdir -p "$1/.hermes/way-out" && echo x >"$1/.hermes/way-out/precious" && tar -rf "$0" -C "$1" .hermes/way-out/precious && gzip -c "$0"'
    const through = execFileSync('sh', ['-c', append, file, other], { input: links })
    expect(namesIn(through).slice(-1)).toEqual(['.hermes/way-out/precious'])
    await fixture.restored(box, through)
    const linked = fixture.packed(
      (folder) => {
        home(folder)
        execFileSync('sh', ['-c', 'echo x >one && ln one two'], { cwd: folder })
      },
      ...['-P', '--transform', `s,^one$,${target}/precious,RSh`, '.hermes', 'one', 'two']
    )
    await fixture.restored(box, linked)
    expect(readdirSync(target)).toEqual(['precious'])
    expect([
      readFileSync(join(target, 'precious'), 'utf8'),
      statSync(join(target, 'precious')).nlink
    ]).toEqual(['precious\n', 1])
    const above = [box.home, dirname(box.home), dirname(dirname(box.home))]
    expect(above.filter((folder) => existsSync(join(folder, 'dropped')))).toEqual([])
  })

  it('is refused when it is none, broken off, without a home, or holds without end', async () => {
    const box = await fixture.sandbox()
    put(hermes(box, 'memories/MEMORY.md'), 'still here\n')
    const whole = await fixture.backedUp(box)
    const nothing = fixture.packed((folder) => put(join(folder, 'other/file'), 'x'))
    expect(await fixture.restored(box, Buffer.from('no archive'))).toMatchObject(refusal('no whole backup'))
    expect(await fixture.restored(box, whole.subarray(0, whole.length - 200))).toMatchObject(
      refusal('no whole backup')
    )
    expect(await fixture.restored(box, nothing)).toMatchObject(refusal('no backup of an agent'))
    const others = fixture.packed((folder) => {
      put(join(folder, '.shell-agent/memory'), 'x')
      put(join(folder, 'instance'), `ins_other ${box.instance.customerId}\n`)
    })
    expect(await fixture.restored(box, others)).toMatchObject(refusal('a backup of another app’s agent'))
    const file = join(box.paths.backupDir, 'in-bomb')
    const bomb = execFileSync(
      'sh',
      ['-c', 'mkdir -p .hermes && head -c 9000000 /dev/zero >.hermes/zeros && tar -czf - .hermes'],
      {
        cwd: mkdtempSync(join(fixture.scratch, 'bomb-')),
        maxBuffer: 10_000_000
      }
    )
    writeFileSync(file, bomb)
    const limits = { does: 'restore', file, most: '1000000', customer: box.instance.customerId } as const
    const { exitCode } = await onServer(box, packScript(box.paths, placeOf(box.instance), limits))
    expect(exitCode).toBe(73)
    expect(readFileSync(hermes(box, 'memories/MEMORY.md'), 'utf8')).toBe('still here\n')
    expect(existsSync(`${hermes(box)}.restoring`)).toBe(false)
    expect(readdirSync(box.paths.backupDir)).toEqual([])
  })

  it('has a home that is too large refused before the disk is full', async () => {
    const box = await fixture.sandbox()
    execFileSync('sh', ['-c', 'head -c 3000000 /dev/urandom >"$0"', hermes(box, 'noise')])
    const file = join(box.paths.backupDir, 'out-large')
    const script = packScript(box.paths, placeOf(box.instance), {
      does: 'backup',
      file,
      most: '1000000',
      customer: ''
    })
    const { exitCode, stderr } = await onServer(box, script)
    expect([exitCode, Buffer.from(stderr).toString()]).toEqual([
      73,
      expect.stringContaining('larger than 1 MB')
    ])
    expect(existsSync(file)).toBe(false)
  })

  const onServer = ({ instance }: Sandbox, script: string) => {
    const { service } = fixture.server
    return service.ssh.run(sshTarget(service.secrets, instance), { script, timeoutMs: 60_000 })
  }

  it('asks no server by HEAD, and of one partner no more than a share of the memory', async () => {
    const box = await fixture.sandbox()
    const head = await fixture.asked(box, { method: 'HEAD' })
    expect(head.status).toBe(400)
    expect(readdirSync(box.paths.stateDir)).not.toContain('backups')
    // Its agent is at work for as long as this takes: nobody is answered with a file.
    writeFileSync(box.paths.lock, '')
    const busy = spawn('flock', [box.paths.lock, 'sleep', '60'], { stdio: 'ignore' })
    const waiting = new AbortController()
    // Fewer than may wait for their packing: it is what lies here that is too much.
    const many = Array.from({ length: 20 }, () => fixture.asked(box, { signal: waiting.signal }))
    const first = await Promise.race(many.map(async (one) => (await one).status))
    expect(first).toBe(429)
    busy.kill()
    waiting.abort()
    await Promise.allSettled(many)
  })
})
