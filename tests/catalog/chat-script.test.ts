// One message to the agent, and the thread that it belongs to.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readyScript } from '../../src/catalog/chat.ts'
import { receivedMessages, setFaults, standInInstall } from '../support/agent/stand-in.ts'
import { box, configure, failure, INSTANCE, inSandboxes, say, stranger } from './chatting.ts'

inSandboxes()

describe('chatting with the agent', () => {
  it('answers, and goes on with the same conversation', async () => {
    const first = await say('My name is Dana.')
    expect(first).toMatchObject({ state: 'answered', reply: 'You said: My name is Dana.\n\nTurn 1.' })
    expect(await say('What is my name?')).toEqual({
      ...Object(first),
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
    expect(second).toMatchObject({ sessionId: Reflect.get(Object(first), 'sessionId') })
  })

  it('keeps conversations apart, and goes on with each of them', async () => {
    await say('My name is Dana.')
    const other = { thread: 'cnv_1' }
    expect(await say('What is my name?', other)).toMatchObject({
      reply: 'You said: What is my name?\n\nTurn 1.'
    })
    expect(await say('And now?')).toMatchObject({
      reply: 'You said: And now?\n\nTurn 2. Before that: My name is Dana.'
    })
    expect(await say('And here?', other)).toMatchObject({
      reply: 'You said: And here?\n\nTurn 2. Before that: What is my name?'
    })
    expect(readdirSync(box.paths.threadDir).sort()).toEqual(['cnv_1', INSTANCE])
  })

  it('goes on with what it was called before the server kept that, and anew where that is gone', async () => {
    const { sessionId } = Object.assign({ sessionId: '' }, await say('one'))
    await stranger()
    rmSync(box.paths.threadDir, { recursive: true })
    expect(await say('two', { session: sessionId })).toMatchObject({
      reply: expect.stringContaining('Turn 2.')
    })
    rmSync(join(box.paths.home, '.hermes/sessions'), { recursive: true })
    expect(await say('three', { session: sessionId })).toMatchObject({ reply: 'You said: three\n\nTurn 1.' })
    expect(await say('four')).toMatchObject({ reply: expect.stringContaining('Turn 2. Before that: three') })
  })

  it('loses nothing where it is looked at between the try that finds no thread and the next one', async () => {
    const { sessionId } = Object.assign({ sessionId: '' }, await say('one'))
    rmSync(join(box.paths.home, '.hermes/sessions'), { recursive: true })
    const program = (name: string, lines: string[]) =>
      box.write(join(box.paths.home, '.local/bin', name), ['#!/bin/sh', ...lines, ''].join('\n'), 0o755)
    // The first try’s words stand for some looks, and whoever measures them goes on once the second one has begun.
    program('grep', ['sleep 0.6', 'exec /usr/bin/grep "$@"'])
    program('wc', [
      'out=$(readlink /proc/self/fd/0)',
      '/usr/bin/wc "$@"',
      'case $(head -c 17 "$out") in',
      '\'Session not found\') while [ -s "$out" ]; do sleep 0.01; done ;;',
      'esac'
    ])
    expect(await say('two', { session: sessionId })).toMatchObject({ reply: 'You said: two\n\nTurn 1.' })
  })

  it('keeps the thread through a run that failed or was stopped', async () => {
    await say('one')
    setFaults(box.paths.home, 'offline', 'error HTTP 500')
    expect(await say('two')).toMatchObject({ code: 'agent_error' })
    setFaults(box.paths.home, 'offline', 'hang')
    expect(await say('three', { limitMs: 1_500 })).toMatchObject({ code: 'agent_timeout' })
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
    expect((await box.run(readyScript(box.paths, { instance: INSTANCE }))).exitCode).toBe(75)
    box.write(box.paths.marker, '')
    expect((await box.run(readyScript(box.paths, { instance: INSTANCE }))).exitCode).toBe(0)
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
