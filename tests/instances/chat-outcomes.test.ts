// Every row of §7's table for a message that was taken, each produced for real: a service, OpenSSH, the scripts and the
// stand-in agent.
import { execFileSync, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MAX_MESSAGE_BYTES } from '../../schemas/chat.ts'
import { receivedMessages } from '../support/agent/stand-in.ts'
import { run } from '../support/fixture.ts'
import { HOST_KEY } from '../support/instances.ts'
import { replyOf } from './chat-client.ts'
import { type ChatFixture, PATIENT, processesIn, type Sandbox, startChatFixture } from './chat-fixture.ts'

describe('a message to the agent', PATIENT, () => {
  let fixture: ChatFixture
  beforeAll(async () => {
    fixture = await startChatFixture('sqlite')
  })
  afterAll(() => fixture.close())

  it('is answered, and the next one in the same thread', async () => {
    const { chat } = await fixture.sandbox({ model: 'gpt-large' })
    const first = replyOf(await chat.send('my name is Ada'))
    expect(first).toMatchObject({ model: 'gpt-large', reply: expect.stringContaining('Turn 1.') })
    expect(first.reply).toContain('You said: my name is Ada')
    expect(first.sessionId).toMatch(/^\d{8}_\d{6}_[0-9a-f]{6}$/)
    const second = replyOf(await chat.send('what is my name?'))
    expect(second.reply).toContain('Turn 2. Before that: my name is Ada')
    expect(second.sessionId).toBe(first.sessionId)
    const { exchanges, next } = await chat.history()
    expect(exchanges).toMatchObject([
      { message: 'my name is Ada', state: 'answered', ...first },
      { message: 'what is my name?', state: 'answered', ...second }
    ])
    expect(next).toBeNull()
  })

  it('goes to the one thread whatever session it names, and says which model nobody chose', async () => {
    const { chat } = await fixture.sandbox()
    const first = replyOf(await chat.send('one'))
    const second = await chat.request('', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'two', sessionId: 'another' })
    })
    expect(replyOf(second)).toMatchObject({ sessionId: first.sessionId, model: 'auto' })
  })

  const HOSTILE: [what: string, message: string][] = [
    [
      'quotes and expansions',
      `'"'"' "$(touch HACKED)" \`touch HACKED\` \${HOME} $((1+1)) \\ \\\\ %s %n !! ~ * ? [a]`
    ],
    ['separators', 'a; touch HACKED & touch HACKED | touch HACKED && touch HACKED > HACKED < /dev/null #'],
    ['options', '--help'],
    ['an option with a value', '-q x --query=y --resume z --yolo'],
    ['white space around', '\n\n \t leading, trailing \t \n\n\n'],
    ['carriage returns and control characters', 'a\r\nb\rc\x01\x02\x07\x1b[31mred\x1b[0m\x7f\x03\x04'],
    ['a here-document', 'EOF\n__END__\nEOT\n.\n'],
    [
      'emoji, right-to-left and combining',
      '👩‍👩‍👧‍👦 🏳️‍🌈 שלום עולם مرحبا \u202eevil\u202c e\u0301 \ufeff \u2028'
    ],
    ['NUL within', 'be\0fore\0'],
    ['32 kB', `${'$(touch HACKED)\n'.repeat(2_047)}${'x'.repeat(16)}`]
  ]
  describe('that is hostile', () => {
    let sandbox: Sandbox
    beforeAll(async () => {
      sandbox = await fixture.sandbox()
    })

    it.each(HOSTILE)('reaches it byte for byte, and nothing else happens: %s', async (_, message) => {
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(MAX_MESSAGE_BYTES)
      const before = receivedMessages(sandbox.home).length
      expect((await sandbox.chat.send(message)).status).toBe(200)
      const sent = message.replaceAll('\0', '')
      const received = receivedMessages(sandbox.home).slice(before)
      const told = expect.stringMatching(/^\n\n\[Files for the person you talk with go into \/\S+\/\]$/)
      expect(received.map((bytes) => bytes.toString('utf8').slice(0, sent.length))).toEqual([sent])
      expect(received.map((bytes) => bytes.toString('utf8').slice(sent.length))).toEqual([told])
      const touched = execFileSync('find', [fixture.sshd.root, '-name', 'HACKED*'], { encoding: 'utf8' })
      expect(touched).toBe('')
      expect((await sandbox.chat.history()).exchanges.at(-1)?.message).toBe(sent)
    })
  })

  it('is 409 while the marker isn’t there, and so is the health check', async () => {
    const sandbox = await fixture.sandbox({ status: 'deploying:cli-agent' })
    expect(await sandbox.chat.health()).toMatchObject({ status: 200, body: { status: 'ok' } })
    rmSync(sandbox.paths.marker)
    expect(await sandbox.chat.health()).toMatchObject({ status: 409, body: { code: 'agent_not_ready' } })
    expect(await sandbox.chat.send('hello', { key: 'key-1' })).toMatchObject({
      status: 409,
      body: { code: 'agent_not_ready' }
    })
    expect(receivedMessages(sandbox.home)).toEqual([])
    sandbox.markReady()
    // It never began: the same key may begin it.
    expect((await sandbox.chat.send('hello', { key: 'key-1' })).status).toBe(200)
  })

  it('is 502 when the agent fails, says nothing, or doesn’t stop talking', async () => {
    const sandbox = await fixture.sandbox()
    for (const fault of ['error HTTP 401: Invalid API key sk-abcdefgh', 'empty', 'exit 3', 'big 3000000']) {
      sandbox.fault(fault)
      const answer = await sandbox.chat.send('hello')
      expect([fault, answer.status]).toEqual([fault, 502])
      const reason = fault.startsWith('error') ? { reason: 'model_refused' } : {}
      const error = expect.not.stringMatching(/sk-|401/)
      expect(answer.body).toEqual({ code: 'agent_error', error, ...reason })
    }
    sandbox.fault('error HTTP 401: Invalid API key sk-abcdefgh <b>')
    await sandbox.chat.send('hello')
    const { service } = fixture.server
    const shown = await run(service, sandbox.instance.partnerId, 'instance_get', {
      instanceId: sandbox.instance.id
    })
    expect(shown).toMatchObject({
      data: {
        lastTrouble: {
          reason: 'model_refused',
          words: expect.stringContaining('HTTP 401: Invalid API key •••')
        }
      }
    })
    const { exchanges } = await sandbox.chat.history()
    expect(exchanges.map(({ reason }) => reason)).toEqual([
      'model_refused',
      null,
      null,
      null,
      'model_refused'
    ])
    // The agent's own words are for the partner.
    expect(JSON.stringify(exchanges)).not.toContain('Invalid API key')
    sandbox.fault()
    expect(replyOf(await sandbox.chat.send('hello')).reply).toContain('You said: hello')
  })

  it('is 502 when there is no agent, for all that its marker says', async () => {
    const sandbox = await fixture.sandbox()
    rmSync(`${sandbox.home}/.local`, { recursive: true })
    expect(await sandbox.chat.send('hello')).toMatchObject({ status: 502, body: { code: 'agent_error' } })
  })

  it('leaves out what the agent says of its own housekeeping', async () => {
    const sandbox = await fixture.sandbox()
    sandbox.fault('compressed')
    expect(replyOf(await sandbox.chat.send('hello')).reply).toMatch(/^You said: hello/)
  })

  it('is 503 when the server isn’t the one that was registered, or doesn’t know us', async () => {
    const impostor = await fixture.sandbox({ hostKey: HOST_KEY })
    const unknown = await fixture.sandbox({ username: 'nobody-here' })
    for (const { chat, home } of [impostor, unknown]) {
      expect(await chat.send('hello')).toMatchObject({
        status: 503,
        body: { code: 'ssh_unavailable', hasStarted: false }
      })
      expect(await chat.health()).toMatchObject({ status: 503, body: { code: 'ssh_unavailable' } })
      expect(receivedMessages(home)).toEqual([])
    }
  })

  it('answers the same again to the same key, and runs once', async () => {
    const sandbox = await fixture.sandbox()
    const [one, other] = await Promise.all([
      sandbox.chat.send('hello', { key: 'key-1' }),
      sandbox.chat.send('hello', { key: 'key-1' })
    ])
    expect(other).toMatchObject({ status: 200, body: one.body })
    expect((await sandbox.chat.send('hello', { key: 'key-1' })).body).toEqual(one.body)
    expect(receivedMessages(sandbox.home)).toHaveLength(1)
    expect((await sandbox.chat.history()).exchanges).toMatchObject([{ key: 'key-1', message: 'hello' }])
    expect(await sandbox.chat.send('goodbye', { key: 'key-1' })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' }
    })
    sandbox.fault('error broken')
    expect((await sandbox.chat.send('oops', { key: 'key-2' })).status).toBe(502)
    sandbox.fault()
    // The agent was at work on it: whoever wants it done again says so with a new key.
    expect((await sandbox.chat.send('oops', { key: 'key-2' })).status).toBe(502)
    expect((await sandbox.chat.send('oops', { key: 'key-3' })).status).toBe(200)
  })
})

// Each waits for its end in a sandbox of its own: together they take as long as one.
describe.concurrent('a message that takes too long', PATIENT, () => {
  const CHAT_TIMEOUT_MS = 8_000
  const CHAT_RUN_MS = 12_000
  let fixture: ChatFixture
  beforeAll(async () => {
    fixture = await startChatFixture('sqlite', { CHAT_TIMEOUT_MS, CHAT_RUN_MS })
  })
  afterAll(() => fixture.close())

  /** A message that the agent has begun with; where its time was over before, one more. */
  const begun = async ({ chat, begunWith }: Sandbox, message: string) => {
    for (;;) {
      const startedAt = performance.now()
      let isOver = false
      const answering = chat.send(message).finally(() => {
        isOver = true
      })
      await vi.waitUntil(() => isOver || begunWith().length > 0, SLOW)
      if (begunWith().length > 0) return { answering, startedAt }
    }
  }

  for (const what of ['an agent that hangs', 'an agent that won’t be ended']) {
    it(`is 504, and gone from the server once its own limit is over: ${what}`, async ({ expect }) => {
      const sandbox = await fixture.sandbox()
      sandbox.holdAgent(what === 'an agent that hangs' ? '' : "trap '' TERM INT HUP\n")
      const { answering, startedAt } = await begun(sandbox, 'hello')
      expect(processesIn(sandbox)).not.toEqual([])
      expect(await answering).toMatchObject({
        status: 504,
        body: { code: 'agent_timeout', hasStarted: true, isRunning: true }
      })
      // It isn't given up early.
      expect(performance.now() - startedAt).toBeGreaterThan(CHAT_TIMEOUT_MS * 0.8)
      expect(processesIn(sandbox)).not.toEqual([])
      const states = async () => (await sandbox.chat.history()).exchanges.map(({ state }) => state)
      expect((await states()).at(-1)).toBe('waiting')
      await expect.poll(() => processesIn(sandbox), SLOW).toEqual([])
      expect(performance.now() - startedAt).toBeGreaterThan(CHAT_RUN_MS)
      await expect.poll(async () => (await states()).at(-1), SLOW).toBe('failed')
      expect((await sandbox.chat.history()).exchanges.at(-1)).toMatchObject({
        ...{ code: 'agent_timeout', hasStarted: true }
      })
      sandbox.letGo()
      expect((await sandbox.chat.send('and now?')).status).toBe(200)
    })
  }

  it('is stopped long after nobody waits any more', async ({ expect }) => {
    const sandbox = await fixture.sandbox()
    sandbox.holdAgent("trap '' TERM INT HUP\n")
    const { answering } = await begun(sandbox, 'hello')
    expect(await answering).toMatchObject({ body: { isRunning: true } })
    const key = (await sandbox.chat.history()).exchanges.at(-1)?.key ?? ''
    expect(await sandbox.chat.cancel(key)).toBe(true)
    await expect.poll(() => processesIn(sandbox), SLOW).toEqual([])
    expect((await sandbox.chat.history()).exchanges.at(-1)).toMatchObject({ state: 'cancelled' })
  })

  it('is 504 without having begun when its turn doesn’t come', async ({ expect }) => {
    const sandbox = await fixture.sandbox()
    sandbox.holdAgent()
    const { answering: first } = await begun(sandbox, 'first')
    const second = await sandbox.chat.send('second', { key: 'key-2' })
    expect(second).toMatchObject({ status: 504, body: { code: 'agent_timeout', hasStarted: false } })
    expect(await first).toMatchObject({ status: 504, body: { hasStarted: true } })
    expect(sandbox.begunWith()).toEqual(['first'])
    sandbox.letGo()
    const states = async () => (await sandbox.chat.history()).exchanges.map(({ state }) => state)
    await expect.poll(states, SLOW).not.toContain('waiting')
    expect(replyOf(await sandbox.chat.send('second', { key: 'key-2' })).reply).toBe('You said: second')
  })

  it('is 504 without having begun while somebody else has the instance’s lock', async ({ expect }) => {
    const sandbox = await fixture.sandbox()
    // Signing in is not what is waited for.
    expect((await sandbox.chat.health()).status).toBe(200)
    const holder = spawn('flock', [sandbox.paths.lock, 'sleep', '60'], { stdio: 'ignore', detached: true })
    const released = new Promise((resolve) => holder.once('close', resolve))
    await expect.poll(() => isLocked(sandbox.paths.lock), SLOW).toBe(true)
    expect(await sandbox.chat.send('hello', { key: 'key-1' })).toMatchObject({
      status: 504,
      body: { code: 'agent_timeout', hasStarted: false }
    })
    expect(receivedMessages(sandbox.home)).toEqual([])
    if (holder.pid) process.kill(-holder.pid, 'SIGKILL')
    await released
    expect((await sandbox.chat.send('hello', { key: 'key-1' })).status).toBe(200)
  })
})

const SLOW = { timeout: 60_000 }

function isLocked(file: string): boolean {
  try {
    execFileSync('flock', ['-n', file, 'true'])
    return false
  } catch {
    return true
  }
}
