// What becomes of a run: how it fails, ends, goes on, is followed and is stopped.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { followScript, readChatOutcome, readyScript } from '../../src/catalog/chat.ts'
import { agentRuns, receivedMessages, setFaults } from '../support/agent/stand-in.ts'
import { nextInstant } from '../support/next-instant.ts'
import {
  box,
  failure,
  follow,
  INSTANCE,
  inSandboxes,
  newest,
  nextRun,
  processes,
  say,
  stop,
  TIMEOUT_MS
} from './chatting.ts'

inSandboxes()

describe('a run of the agent', () => {
  it.each([
    ['empty', {}],
    ['exit 75', {}],
    ['big 2000000', {}],
    ['error HTTP 401: Incorrect API key sk-abcdefgh1234', { reason: 'model_refused' }],
    ['error HTTP 503: overloaded', { reason: 'model_away' }],
    ['error [Errno 28] No space left on device', { reason: 'disk_full' }],
    ['error [Errno 30] Read-only file system', { reason: 'home_read_only' }],
    ['exit 139', { reason: 'agent_crashed' }]
  ])('tells of an agent that fails: %s', async (fault, more) => {
    setFaults(box.paths.home, 'offline', fault)
    const { words = '', ...outcome } = Object(await say('Hello'))
    expect(outcome).toEqual(failure(0, 'agent_error', true, more))
    expect(words).toContain(fault.startsWith('error') ? fault.slice(6, 20) : '')
    expect(words).not.toContain('sk-')
  })

  it('ends an agent that floods its output long before the deadline', async () => {
    setFaults(box.paths.home, 'offline', 'big 1e15')
    expect(await say('Hello')).toEqual(failure(0, 'agent_error', true))
    await expect.poll(() => processes('hermes')).toEqual([])
  })

  it('tells of an agent that isn’t there', async () => {
    rmSync(join(box.paths.home, '.local'), { recursive: true })
    expect(await say('Hello')).toMatchObject({ code: 'agent_error', reason: 'agent_missing' })
  })

  it('tells of a server without room, or with nothing to write on', async () => {
    rmSync(box.paths.stateDir, { recursive: true })
    box.write(box.paths.marker, 'dep_1\n')
    box.write(box.paths.runDir, 'no folder')
    expect(await say('Hello')).toMatchObject({ code: 'agent_error', hasStarted: true })
    expect(receivedMessages(box.paths.home)).toEqual([])
  })

  it('ends an agent at its limit, also one that ignores to be told so', async () => {
    for (const fault of ['hang', 'hang-hard']) {
      setFaults(box.paths.home, 'offline', fault)
      expect(await say('Hello', { limitMs: 1_500 })).toEqual(failure(0, 'agent_timeout', true))
      await expect.poll(() => processes('hermes')).toEqual([])
    }
  })

  it('goes on when the wait is over, and tells how it ended whenever it is asked', async () => {
    setFaults(box.paths.home, 'offline', 'slow 2')
    expect(await say('Hello', { timeoutMs: 1_000 })).toBe('at-work')
    expect(await follow({ timeoutMs: 100 })).toBe('at-work')
    const answered = { state: 'answered', reply: 'You said: Hello\n\nTurn 1.' }
    expect(await follow()).toMatchObject(answered)
    expect(await follow()).toMatchObject(answered)
    setFaults(box.paths.home, 'offline')
    expect(await say('And now?')).toMatchObject({ reply: expect.stringContaining('Turn 2.') })
  })

  it('tells what it does meanwhile: the text as it comes, and the tools', async () => {
    const message = 'One two three four five six seven. It uses 2 tools'
    setFaults(box.paths.home, 'offline', 'slow 2', 'speaks 0.3')
    expect(await say(message, { timeoutMs: 1_000 })).toBe('at-work')
    const ended = await box.run(followScript(box.paths, { ...newest(), offset: 0, timeoutMs: 2_500 }))
    const text = new TextDecoder().decode(ended.stdout)
    const first = new TextDecoder().decode(ended.stderr)
    expect(text).toMatch(/^You said: One/)
    expect(text).not.toContain('tools')
    const rest = await box.run(
      followScript(box.paths, { ...newest(), offset: text.length, timeoutMs: TIMEOUT_MS })
    )
    expect(text + new TextDecoder().decode(rest.stdout)).toBe(`You said: ${message}\n\nTurn 1.\n`)
    const notes = new TextDecoder().decode(rest.stderr)
    expect(`${first}${notes}`).toMatch(/^tool terminal\ntool web_search\nended 0\n/)
  })

  it('is stopped with all that it started, also where it ignores to be told so', async () => {
    for (const fault of ['hang', 'hang-hard']) {
      setFaults(box.paths.home, 'offline', fault)
      expect(await say('Hello', { timeoutMs: 1_000 })).toBe('at-work')
      expect(await stop()).toBe(0)
      await expect.poll(() => processes('hermes')).toEqual([])
      await expect.poll(() => processes('chat-run')).toEqual([])
    }
    setFaults(box.paths.home, 'offline')
    expect(await say('And now?')).toMatchObject({ state: 'answered' })
    // What is over isn't stopped any more, and what never was can't be.
    expect(await stop()).toBe(0)
    expect(await follow()).toMatchObject({ state: 'answered' })
    nextRun()
    expect(await stop()).toBe(81)
    expect(await follow()).toBe('never-begun')
  })

  it('that was killed has crashed, and leaves nothing at work', async () => {
    setFaults(box.paths.home, 'offline', 'hang')
    expect(await say('Hello', { timeoutMs: 1_000 })).toBe('at-work')
    for (const pid of processes('chat-run')) process.kill(Number(pid), 'SIGKILL')
    expect(processes('hermes')).not.toEqual([])
    expect(await follow()).toMatchObject({ code: 'agent_error', reason: 'agent_crashed', hasStarted: true })
    await expect.poll(() => processes('hermes')).toEqual([])
    setFaults(box.paths.home, 'offline')
    expect(await say('And now?')).toMatchObject({ state: 'answered' })
  })

  it('keeps its runs for as long as somebody may ask', async () => {
    for (let turn = 1; turn <= 7; turn += 1) await say('Hello')
    const hourAgo = Date.now() / 1_000 - 4_000
    for (const run of readdirSync(box.paths.runDir).slice(0, 3))
      utimesSync(join(box.paths.runDir, run), hourAgo, hourAgo)
    await say('Hello')
    await expect.poll(() => readdirSync(box.paths.runDir).length).toBe(5)
    expect(await follow()).toMatchObject({ state: 'answered' })
  })

  it('doesn’t begin once somebody was told that it never did', async () => {
    const hold = `exec flock '${box.paths.lock}' sh -c 'echo held; cat'`
    const holder = spawn('/bin/sh', ['-c', hold], { stdio: ['pipe', 'pipe', 'ignore'] })
    await once(holder.stdout, 'data')
    const saying = say('Hello')
    expect(await stop()).toBe(81)
    holder.stdin.end()
    expect(await saying).toEqual(failure(76, 'agent_timeout', false))
    expect(await follow()).toBe('never-begun')
    expect(receivedMessages(box.paths.home)).toEqual([])
  })

  it('goes on where whoever follows it is killed, or is answered by something else', async () => {
    setFaults(box.paths.home, 'offline', 'slow 2')
    expect(await say('Hello', { timeoutMs: 500 })).toBe('at-work')
    for (const exitCode of [1, 2, 126, 127, 137, 143, 255])
      expect(readChatOutcome({ exitCode, stdout: Buffer.from(''), stderr: Buffer.from('no') }, 'auto')).toBe(
        'odd'
      )
    expect(await follow()).toMatchObject({ state: 'answered' })
    const stray = {
      exitCode: 0,
      stdout: Buffer.from('Hi'),
      stderr: Buffer.from('sh: odd\nended 0\nsession_id: a1\n')
    }
    expect(readChatOutcome(stray, 'auto')).toMatchObject({ state: 'answered', reply: 'Hi', sessionId: 'a1' })
  })

  it('answers nobody else’s instance', async () => {
    box.write(join(box.paths.stateDir, 'instance'), 'ins_2 cus_2 machine\n')
    expect(await say('Hello')).toEqual(failure(75, 'agent_not_ready', false))
    expect((await box.run(readyScript(box.paths, { instance: INSTANCE }))).exitCode).toBe(75)
    expect((await box.run(readyScript(box.paths, { instance: 'ins_2' }))).exitCode).toBe(0)
    expect(receivedMessages(box.paths.home)).toEqual([])
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
})
