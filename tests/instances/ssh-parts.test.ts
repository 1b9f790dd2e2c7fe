// The parts of SSH that need no server: addresses, key pairs, output cut at its marks, the wrapper in every shell.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import ssh2 from 'ssh2'
import { describe, expect, it, vi } from 'vitest'
import { makeKeyPair } from '../../src/instances/ssh/key-pair.ts'
import { GO, remoteCommand } from '../../src/instances/ssh/remote-shell.ts'
import { createCutOutput } from '../../src/instances/ssh/session.ts'
import { isPublicAddress } from '../../src/net/addresses.ts'

describe('an address', () => {
  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '223.255.255.1'
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))
  it.each(['2a01:4f8::1', '2001:200::1', '2606:4700:4700::1111', '2003::1'])('%s is public', (address) =>
    expect(isPublicAddress(address)).toBe(true)
  )
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:1.1.1.1',
    '::1.1.1.1',
    '64:ff9b::1.1.1.1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:0a00:0001::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'not an address'
  ])('%s is none of the public Internet', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('a key pair', () => {
  it('is what OpenSSH makes of the private half', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mindgate-key-'))
    const { publicKey, privateKey } = makeKeyPair('mindgate-ins_1')
    writeFileSync(join(folder, 'key'), privateKey, { mode: 0o600 })
    const derived = execFileSync('ssh-keygen', ['-y', '-f', join(folder, 'key')], { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    expect(derived.trim()).toBe(publicKey)
    expect(publicKey).toMatch(/^ssh-ed25519 AAAA\S+ mindgate-ins_1$/)
  })

  it('is another one each time, and signs what its public half verifies', () => {
    const text = Buffer.from('text')
    const pairs = Array.from({ length: 300 }, () => makeKeyPair('x'))
    for (const { publicKey, privateKey } of pairs) {
      const [signing, verifying] = [ssh2.utils.parseKey(privateKey), ssh2.utils.parseKey(publicKey)]
      if (signing instanceof Error || verifying instanceof Error) throw new Error('A key can’t be read')
      expect(verifying.verify(text, signing.sign(text))).toBe(true)
    }
    expect(new Set(pairs.map(({ publicKey }) => publicKey)).size).toBe(300)
  })

  it('has no comment that would add a line or an option to authorized_keys', () => {
    for (const comment of ['', 'two words', 'a\nb', 'é'])
      expect(() => makeKeyPair(comment)).toThrow(RangeError)
  })
})

describe('output cut at its marks', () => {
  const mark = 'a1a1a1b2'

  it('is the same however it arrives in pieces', () => {
    const noise = fc.constantFrom('', 'Welcome!\n', 'a1a1', 'a1a1a1b2', `${mark} +`)
    const content = fc.constantFrom('', 'text\n', 'a1a1a1b', `${mark}+`, 'a1a1a1a1a1b', '\0\xff')
    fc.assert(
      fc.property(noise, content, fc.array(fc.integer({ min: 1, max: 9 })), (before, inside, cuts) => {
        const output = createCutOutput(mark, 100)
        const all = Buffer.from(`${before}${mark}+${inside}${mark}-17;later`, 'latin1')
        let at = 0
        for (const length of [...cuts, all.length]) {
          output.push(all.subarray(at, at + length))
          at += length
        }
        expect(output.hasBegun()).toBe(true)
        expect(output.ending()).toBe('17')
        expect(output.content().toString('latin1')).toBe(inside)
        expect(output.isTooLarge()).toBe(false)
      })
    )
  })

  it('has not begun before the first mark, nor ended before the whole last one', () => {
    const output = createCutOutput(mark, 100)
    output.push(Buffer.from('noise'))
    expect([output.hasBegun(), output.ending()]).toEqual([false, undefined])
    output.push(Buffer.from(`${mark}+so far${mark}-1`))
    expect([output.hasBegun(), output.ending()]).toEqual([true, undefined])
    output.push(Buffer.from('7;'))
    expect(output.ending()).toBe('17')
  })

  it('keeps what came where it never ends', () => {
    const output = createCutOutput(mark, 100)
    output.push(Buffer.from(`${mark}+so far a1a1`))
    expect(output.content().toString()).toBe('so far a1a1')
  })

  it('tells when it is more than is kept, and still finds the end', () => {
    const output = createCutOutput(mark, 10)
    output.push(Buffer.from(`${mark}+0123456789${mark}-0;`))
    expect(output.isTooLarge()).toBe(false)
    const other = createCutOutput(mark, 10)
    other.push(Buffer.from(`${mark}+0123456789x${mark}-0;`))
    expect([other.isTooLarge(), other.ending()]).toEqual([true, '0'])
  })

  it.each([
    ['before the first mark', ''],
    ['in the place of the ending', `${mark}+${mark}-`],
    ['behind the ending', `${mark}+${mark}-0;`]
  ])('tells when too much comes %s, and looks at every byte once', (_, before) => {
    const joined = vi.spyOn(Buffer, 'concat')
    const output = createCutOutput(mark, 10_000)
    output.push(Buffer.from(before))
    expect(output.isTooLarge()).toBe(false)
    for (let i = 0; i < 100; i += 1) output.push(Buffer.alloc(1_000, 'x'))
    expect(output.isTooLarge()).toBe(true)
    const searched = joined.mock.results.reduce((sum, { value }) => sum + value.length, 0)
    joined.mockRestore()
    expect(searched).toBeLessThan(110_000)
  })
})

const SHELLS = ['/bin/sh', '/bin/bash', '/bin/dash', '/bin/ksh', '/bin/mksh', '/bin/zsh'].filter((path) =>
  existsSync(path)
)

describe.each(SHELLS)('the wrapper in %s', (shell) => {
  /** Runs the script as sshd would; `stopAt` is the output at which the sign to stop is given. */
  const run = async (script: string, { input = '', stopAt = '' } = {}) => {
    const { command, mark } = remoteCommand(script, Buffer.byteLength(input))
    const child = spawn(shell, ['-c', command.replace('exec /bin/sh ', `exec ${shell} `)], { detached: true })
    const outputs = [createCutOutput(mark, 1_000), createCutOutput(mark, 1_000)] as const
    child.stdin.on('error', () => {})
    const exited = once(child, 'exit')
    const closed = once(child, 'close')
    child.stdin.write(GO + input)
    child.stdout.on('data', (chunk) => {
      outputs[0].push(chunk)
      if (stopAt !== '' && outputs[0].content().includes(stopAt)) child.stdin.end()
    })
    child.stderr.on('data', (chunk) => outputs[1].push(chunk))
    await exited
    child.stdin.end()
    await closed
    const [stdout, stderr] = outputs.map((output) => output.content().toString())
    return { exitCode: outputs[0].ending(), stdout, stderr }
  }

  it('runs a script with its input', async () => {
    const outcome = await run('cat; echo err >&2; exit 3', { input: 'text' })
    expect(outcome).toEqual({ exitCode: '3', stdout: 'text', stderr: 'err\n' })
  })

  it('stops it on the sign', async () => {
    const outcome = await run('echo begun; sleep 600', { stopAt: 'begun' })
    expect(outcome).toEqual({ exitCode: '143', stdout: 'begun\n', stderr: '' })
  })

  it('stops one that doesn’t mind TERM', async () => {
    const outcome = await run('trap "" TERM; echo begun; while :; do sleep 1; done', { stopAt: 'begun' })
    expect(outcome).toEqual({ exitCode: '137', stdout: 'begun\n', stderr: '' })
  })

  it('runs nothing where nobody says go', async () => {
    const { command, mark } = remoteCommand('echo ran', 0)
    const child = spawn(shell, ['-c', command], { detached: true })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    child.stdin.end()
    await once(child, 'close')
    expect(text).toBe(`${mark}+`)
  })
})
