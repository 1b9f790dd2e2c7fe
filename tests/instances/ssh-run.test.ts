// What a script on a customer's server sees of us, and we of it.
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SshConnections } from '../../src/instances/ssh/connections.ts'
import { MAX_INPUT_BYTES } from '../../src/instances/ssh/remote-shell.ts'
import type { SshTarget } from '../../src/instances/ssh/target.ts'
import type { Sshd } from '../support/openssh.ts'
import { faultOf, isRunning, openConnections, runText, startServer, targetOf } from './ssh-server.ts'

let server: Sshd
let ssh: SshConnections
let target: SshTarget

beforeAll(async () => {
  server = await startServer()
  ssh = openConnections()
  target = targetOf(server)
})
afterAll(async () => {
  await ssh.close()
  await server.remove()
})

describe('a script over SSH', () => {
  it('answers its outputs and its exit code', async () => {
    const outcome = await runText(ssh, target, 'echo out; echo err >&2; exit 7')
    expect(outcome).toEqual({ exitCode: 7, stdout: 'out\n', stderr: 'err\n' })
  })

  it('answers nothing where nothing is written, and what has no newline at its end', async () => {
    expect(await runText(ssh, target, 'true')).toEqual({ exitCode: 0, stdout: '', stderr: '' })
    expect(await runText(ssh, target, 'printf x; printf y >&2')).toEqual({
      exitCode: 0,
      stdout: 'x',
      stderr: 'y'
    })
  })

  it.each([
    ['TERM', 143],
    ['KILL', 137],
    ['INT', 130]
  ])('answers 128 + n when SIG%s kills it, and the shells say nothing of it', async (signal, exitCode) => {
    const outcome = await runText(ssh, target, `kill -${signal} $$; sleep 60`)
    expect(outcome).toEqual({ exitCode, stdout: '', stderr: '' })
  })

  it('says on its error output what the shell has against it', async () => {
    const outcome = await runText(ssh, target, 'there-is-no-such-program')
    expect(outcome.exitCode).toBe(127)
    expect(outcome.stderr).toContain('there-is-no-such-program')
  })

  it('has its own signals, no inherited descriptors, and leads its session', async () => {
    const look = 'grep -E "^Sig(Ign|Blk)" /proc/self/status; ls /proc/$$/fd; cut -d" " -f1,6 /proc/$$/stat'
    const { stdout } = await runText(ssh, target, look)
    const lines = stdout.trim().split('\n')
    expect(lines.slice(0, 2)).toEqual(['SigBlk:\t0000000000000000', 'SigIgn:\t0000000000000000'])
    expect(lines.slice(2, -1)).toEqual(['0', '1', '2'])
    const [pid, session] = lines.at(-1)?.split(' ') ?? []
    expect(session).toBe(pid)
  })

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text without a newline', Buffer.from('héllo “wörld”')],
    ['newlines at the end', Buffer.from('a\n\n\n')],
    ['a word that the wrapper waits for', Buffer.from('go\ngo\n')],
    ['NUL and every other byte', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
    ['what a shell would read', Buffer.from('$(touch /tmp/no) `id` \'"\\\n--help ;|&')],
    ['32 kB of anything', randomBytes(32_768)],
    ['the most', randomBytes(MAX_INPUT_BYTES)]
  ])('reads %s byte for byte', async (_, input) => {
    const { stdout } = await ssh.run(target, { script: 'cat', input, timeoutMs: 30_000 })
    expect(Buffer.from(stdout).equals(input)).toBe(true)
  })

  it('need not read its input', async () => {
    const outcome = await runText(ssh, target, 'echo done', { input: randomBytes(MAX_INPUT_BYTES) })
    expect(outcome).toEqual({ exitCode: 0, stdout: 'done\n', stderr: '' })
  })

  it('refuses more input than fits, and a script that can’t be one, before it connects', async () => {
    const before = ssh.handshakes
    const elsewhere = { ...target, instanceId: 'ins_other' }
    const tooMuch = { script: 'cat', input: new Uint8Array(MAX_INPUT_BYTES + 1), timeoutMs: 1_000 }
    await expect(ssh.run(elsewhere, tooMuch)).rejects.toThrow(RangeError)
    await expect(ssh.run(elsewhere, { script: 'a\0b', timeoutMs: 1_000 })).rejects.toThrow(RangeError)
    const long = { script: `: ${'x'.repeat(130_000)}`, timeoutMs: 1_000 }
    await expect(ssh.run(elsewhere, long)).rejects.toThrow(RangeError)
    expect(ssh.handshakes).toBe(before)
  })

  it('may hold whatever a shell script holds', async () => {
    const script = `cat <<'END'\n'single' "double" \\back $dollar \`tick\` !bang\nEND\necho "it's"`
    const { stdout } = await runText(ssh, target, script)
    expect(stdout).toBe(`'single' "double" \\back $dollar \`tick\` !bang\nit's\n`)
  })

  it('answers output up to the limit, byte for byte', async () => {
    const { stdout, stderr } = await ssh.run(target, {
      script: 'head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2',
      timeoutMs: 30_000
    })
    expect([stdout.length, stderr.length]).toEqual([1_000_000, 1_000_000])
  })

  it('ends with its main process, whatever that left in the background', async () => {
    const outcome = await runText(ssh, target, 'sleep 600 & echo $!')
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' })
    const child = Number(outcome.stdout)
    expect(isRunning(child)).toBe(true)
    process.kill(child)
  })

  it('may print the list of processes without ending its own output', async () => {
    const script =
      'for file in /proc/[0-9]*/cmdline; do tr "\\0" " " <"$file"; echo; done 2>/dev/null; echo end'
    const { stdout, exitCode } = await runText(ssh, target, script)
    expect(exitCode).toBe(0)
    expect(stdout).toContain('exec 3<&0')
    expect(stdout.endsWith('end\n')).toBe(true)
  })
})

describe('a login shell', () => {
  const startUp = (text: string) => writeFileSync(join(server.home, '.bashrc'), text)
  afterAll(() => rmSync(join(server.home, '.bashrc'), { force: true }))

  it('may print what it likes', async () => {
    startUp('echo "Welcome to $HOSTNAME!"; echo "a warning" >&2; head -c 100000 /dev/zero')
    expect(await runText(ssh, target, 'echo out; echo err >&2; exit 3')).toEqual({
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n'
    })
  })

  it('may be slow', async () => {
    startUp('sleep 1')
    const { stdout } = await runText(ssh, target, 'cat', { input: Buffer.from('patience') })
    expect(stdout).toBe('patience')
  })

  it('that lets nobody run a command is said to give no session, and nothing has begun', async () => {
    startUp('echo "This account is currently not available."; exit 1')
    const fault = await faultOf(ssh.run(target, { script: 'true', timeoutMs: 30_000 }))
    expect(fault).toEqual({ fault: 'no_session', hasNotBegun: true })
  })
})
