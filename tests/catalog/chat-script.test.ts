// The chat script, run as a server runs it, against the stand-in agent.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chatScript, readChatOutcome, readyScript } from '../../src/catalog/cli-agent/chat.ts'
import { configYaml, persona } from '../../src/catalog/cli-agent/configuration.ts'
import { agentRuns, receivedMessages, setFaults, standInInstall } from '../support/agent/stand-in.ts'
import { nextInstant } from '../support/next-instant.ts'
import { makeSandbox, type Sandbox } from './local-shell.ts'

let box: Sandbox

/** Enough for the agent to start on a busy machine. */
const TIMEOUT_MS = 30_000

beforeEach(async () => {
  box = makeSandbox()
  box.write(box.paths.marker, 'dep_1\n')
  box.write(join(box.paths.home, '.profile'), '')
  await box.run(`HOME='${box.paths.home}'; ${standInInstall}`)
  setFaults(box.paths.home, 'offline')
  configure({})
})

/** As a deploy does it, but for what is given. */
function configure({ name = 'Sol', replaced = [] as [string, string][] }) {
  const settings = { deployId: 'dep_1', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'sk-none', model: 'auto' }
  const config = replaced.reduce((text, [from, to]) => text.replace(from, to), configYaml(settings))
  box.write(join(box.paths.home, '.hermes/config.yaml'), config)
  box.write(join(box.paths.home, '.hermes/SOUL.md'), persona(name))
}

/** Somebody else on that server, who talks with the agent, too. */
const stranger = () =>
  box.run(`HOME='${box.paths.home}'; export HOME; "$HOME/.local/bin/hermes" chat -q hello`)

afterEach(() => box.remove())

async function say(
  message: string | Uint8Array,
  { timeoutMs = TIMEOUT_MS, leastMs = 10, shell = '/bin/sh', session = '' } = {}
) {
  const source = chatScript(box.paths, { timeoutMs, leastMs, thread: 'ins_1', session })
  const ended = await box.run(source, { input: message, shell })
  return { exitCode: ended.exitCode, ...readChatOutcome(ended, 'auto') }
}

const failure = (exitCode: number, code: string, hasStarted: boolean) => ({
  state: 'failed',
  exitCode,
  code,
  hasStarted
})

/** Processes of this sandbox whose command line holds a text. */
const processes = (text: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HERMES_HOME=${box.paths.home}/`)
        return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
      } catch {
        return false
      }
    })

describe('chatting with the agent', () => {
  it('answers, and goes on with the same conversation', async () => {
    const first = await say('My name is Dana.')
    expect(first).toMatchObject({ state: 'answered', reply: 'You said: My name is Dana.\n\nTurn 1.' })
    expect(await say('What is my name?')).toEqual({
      ...first,
      reply: 'You said: What is my name?\n\nTurn 2. Before that: My name is Dana.'
    })
  })

  it('goes on with its own thread, whatever else runs on that server', async () => {
    const first = await say('My name is Dana.')
    await stranger()
    const second = await say('What is my name?')
    expect(second).toMatchObject({
      reply: 'You said: What is my name?\n\nTurn 2. Before that: My name is Dana.'
    })
    expect(second).toMatchObject({ sessionId: 'sessionId' in first ? first.sessionId : undefined })
  })

  it('goes on with what it was called before the server kept that, and anew where that is gone', async () => {
    const { sessionId } = { sessionId: '', ...(await say('one')) }
    await stranger()
    rmSync(box.paths.threadDir, { recursive: true })
    expect(await say('two', { session: sessionId })).toMatchObject({
      reply: expect.stringContaining('Turn 2.')
    })
    rmSync(join(box.paths.home, '.hermes/sessions'), { recursive: true })
    expect(await say('three', { session: sessionId })).toMatchObject({ reply: 'You said: three\n\nTurn 1.' })
    expect(await say('four')).toMatchObject({ reply: expect.stringContaining('Turn 2. Before that: three') })
  })

  it('keeps the thread through a run that failed or was stopped', async () => {
    await say('one')
    setFaults(box.paths.home, 'offline', 'error HTTP 500')
    expect(await say('two')).toMatchObject({ code: 'agent_error' })
    setFaults(box.paths.home, 'offline', 'hang')
    expect(await say('three', { timeoutMs: 1_500 })).toMatchObject({ code: 'agent_timeout' })
    setFaults(box.paths.home, 'offline')
    await stranger()
    expect(await say('four')).toMatchObject({ reply: 'You said: four\n\nTurn 2. Before that: two' })
  })

  it('tells a thread that goes on who it is now, once', async () => {
    const ask = 'What is your name?'
    expect(await say(ask)).toMatchObject({ reply: 'I am Sol.' })
    configure({ name: 'Luna' })
    expect(await say(ask)).toMatchObject({ reply: 'I am Luna.' })
    expect(await say(ask)).toMatchObject({ reply: 'I am Luna.' })
    expect(receivedMessages(box.paths.home).map((message) => message.includes('Luna'))).toEqual([
      false,
      true,
      false
    ])
    expect(receivedMessages(box.paths.home).at(-1)?.toString()).toBe(ask)
  })

  it('loses no reply to what the agent reviews in the background', async () => {
    for (let turn = 1; turn <= 11; turn += 1)
      expect(await say(`turn ${turn}`)).toMatchObject({ state: 'answered' })
    expect(await say('uses 11 tools')).toMatchObject({ reply: expect.stringContaining('Turn 12.') })
  })

  it('doesn’t wait for answers that nobody can give, nor tell of them in the reply', async () => {
    const shorter: [string, string] = ['timeout: 5', 'timeout: 1']
    configure({ replaced: [shorter, shorter] })
    expect(await say('needs approval and needs a choice')).toMatchObject({
      reply: 'You said: needs approval and needs a choice\n\nTurn 1.'
    })
  })

  it('is not ready without the marker, and reads nothing', async () => {
    rmSync(box.paths.marker)
    expect(await say('Hello')).toEqual(failure(75, 'agent_not_ready', false))
    expect(receivedMessages(box.paths.home)).toEqual([])
    expect((await box.run(readyScript(box.paths))).exitCode).toBe(75)
    box.write(box.paths.marker, '')
    expect((await box.run(readyScript(box.paths))).exitCode).toBe(0)
  })

  const hostile = [
    `'; touch "$HOME/owned"; echo "$(touch $HOME/owned)" \`touch $HOME/owned\` \${HOME} $0 \\ \\n %s !! ~ * ?`,
    '--continue --help -c --query=x',
    '-',
    '\n\n  indented\n\ttabs\r\nand newlines at the end\n\n\n',
    'emoji 😀👩‍👩‍👧, RTL ‮שלום‬, zero\u200bwidth, e\u0301, \u0001\u001b[31m\u007f',
    `${'x'.repeat(32 * 1024 - 3)}…`
  ]

  for (const shell of ['/bin/dash', '/bin/bash'].filter((path) => existsSync(path))) {
    it(`hands any message over byte for byte, under ${shell}`, async () => {
      for (const message of hostile)
        expect(await say(message, { shell })).toMatchObject({ state: 'answered' })
      expect(receivedMessages(box.paths.home).map(String)).toEqual(hostile)
      expect(existsSync(join(box.paths.home, 'owned'))).toBe(false)
    })
  }

  it('leaves NUL out, and never starts the agent for what is empty then', async () => {
    expect(await say('a\0b\0')).toMatchObject({ state: 'answered' })
    for (const nothing of ['', '\0\0', ' \n\t\0'])
      expect(await say(nothing)).toEqual(failure(77, 'agent_error', true))
    expect(receivedMessages(box.paths.home).map(String)).toEqual(['ab'])
  })

  it('drops a notice about the session from the reply', async () => {
    await say('first')
    setFaults(box.paths.home, 'offline', 'compressed')
    expect(await say('second')).toMatchObject({ reply: 'You said: second\n\nTurn 2. Before that: first' })
  })

  it.each([
    ['empty', 0],
    ['error HTTP 401: Incorrect API key sk-abcdefgh1234', 70],
    ['exit 75', 70],
    ['big 2000000', 78]
  ])('tells of an agent that fails: %s', async (fault, exitCode) => {
    setFaults(box.paths.home, 'offline', fault)
    expect(await say('Hello')).toEqual(failure(exitCode, 'agent_error', true))
  })

  it('ends an agent that floods its output long before the deadline', async () => {
    setFaults(box.paths.home, 'offline', 'big 1e15')
    expect(await say('Hello')).toEqual(failure(78, 'agent_error', true))
    expect(processes('hermes')).toEqual([])
  })

  it('tells of an agent that isn’t there', async () => {
    rmSync(join(box.paths.home, '.local'), { recursive: true })
    expect(await say('Hello')).toMatchObject({ code: 'agent_error' })
  })

  it('ends an agent at the deadline, also one that ignores to be told so', async () => {
    for (const fault of ['hang', 'hang-hard']) {
      setFaults(box.paths.home, 'offline', fault)
      expect(await say('Hello', { timeoutMs: 1_500 })).toEqual(failure(124, 'agent_timeout', true))
      expect(processes('hermes')).toEqual([])
    }
  })

  it('doesn’t start an agent that had no time left', async () => {
    expect(await say('Hello', { timeoutMs: 4_000, leastMs: 5_000 })).toEqual(
      failure(76, 'agent_timeout', false)
    )
    expect(receivedMessages(box.paths.home)).toEqual([])
  })

  it('waits for a run under way, so that both read the same history', async () => {
    setFaults(box.paths.home, 'offline', 'slow 1')
    const first = say('first')
    while (receivedMessages(box.paths.home).length === 0) await nextInstant()
    expect(await say('second')).toMatchObject({
      reply: expect.stringContaining('Turn 2. Before that: first')
    })
    expect(await first).toMatchObject({ state: 'answered' })
    expect(agentRuns(box.paths.home).map(({ event }) => event)).toEqual(['begin', 'end', 'begin', 'end'])
  })

  it('gives up without starting when the wait takes too long', async () => {
    const hold = `exec flock '${box.paths.lock}' sh -c 'echo held; cat'`
    const holder = spawn('/bin/sh', ['-c', hold], { stdio: ['pipe', 'pipe', 'ignore'] })
    await once(holder.stdout, 'data')
    const late = await say('too soon', { timeoutMs: 1_000, leastMs: 500 })
    holder.stdin.end()
    await once(holder, 'close')
    expect(late).toEqual(failure(76, 'agent_timeout', false))
    expect(receivedMessages(box.paths.home)).toEqual([])
  })

  it('isn’t locked by a child that the agent left behind', async () => {
    setFaults(box.paths.home, 'offline', 'child 300')
    expect(await say('first')).toMatchObject({ state: 'answered' })
    const left = processes('sleep\x00300')
    expect(left.length).toBeGreaterThan(0)
    setFaults(box.paths.home, 'offline')
    expect(await say('second')).toMatchObject({ state: 'answered' })
    for (const pid of left) process.kill(Number(pid))
  })

  it('isn’t disturbed by what a killed run left', async () => {
    box.write(join(box.paths.stateDir, 'run', 'too-long'), '')
    expect(await say('Hello')).toMatchObject({ state: 'answered' })
    expect(existsSync(join(box.paths.stateDir, 'run'))).toBe(false)
  })

  it('finds an agent in the home of the user that signs in', async () => {
    rmSync(join(box.paths.home, '.local'), { recursive: true })
    await box.run(`HOME='${box.login}'; ${standInInstall}`)
    expect(await say('Hello')).toMatchObject({ state: 'answered' })
  })

  it('takes another agent’s word for its session', async () => {
    const agent = '#!/bin/sh\necho fine\necho "session_id: abc-1" >&2\n'
    writeFileSync(join(box.paths.home, '.local/bin/hermes'), agent, { mode: 0o755 })
    expect(await say('Hello')).toMatchObject({ state: 'answered', reply: 'fine', sessionId: 'abc-1' })
  })
})
