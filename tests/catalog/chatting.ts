// The chat scripts, run as a server runs them, against the stand-in agent in a sandbox of its own for each test.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import {
  chatScript,
  followScript,
  readChatOutcome,
  stopScript,
  toldWithFiles
} from '../../src/catalog/chat.ts'
import { configYaml, persona } from '../../src/catalog/configuration.ts'
import { setFaults, standInInstall } from '../support/agent/stand-in.ts'
import { type Ended, makeSandbox, type Sandbox } from './local-shell.ts'

export let box: Sandbox

/** Enough for the agent to start on a busy machine. */
export const TIMEOUT_MS = 30_000

/** A sandbox for each test of a file, which must say so: this module is loaded once for several of them. */
export function inSandboxes(): void {
  beforeEach(async () => {
    box = makeSandbox()
    box.write(box.paths.marker, 'dep_1\n')
    box.write(join(box.paths.home, '.profile'), '')
    await box.run(`HOME='${box.paths.home}'; ${standInInstall}`)
    setFaults(box.paths.home, 'offline')
    configure({})
  })
  afterEach(() => box.remove())
}

/** As a deploy does it, but for what is given. */
export function configure({ name = 'Sol', replaced = [] as [string, string][] }) {
  const settings = { deployId: 'dep_1', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'sk-none', model: 'auto' }
  const config = replaced.reduce((text, [from, to]) => text.replace(from, to), configYaml(settings))
  box.write(join(box.paths.home, '.hermes/config.yaml'), config)
  box.write(join(box.paths.home, '.hermes/SOUL.md'), persona(name))
}

/** Somebody else on that server, who talks with the agent, too. */
export const stranger = () =>
  box.run(`HOME='${box.paths.home}'; export HOME; "$HOME/.local/bin/hermes" chat -q hello`)

let runs = 0

/** What was never begun. */
export const nextRun = () => {
  runs += 1
}

export const INSTANCE = 'ins_1'
export const newest = () => ({ instance: INSTANCE, run: `chx_1-${runs}` })

export async function say(
  message: string | Uint8Array,
  {
    timeoutMs = TIMEOUT_MS,
    limitMs = 60_000,
    leastMs = 10,
    shell = '/bin/sh',
    session = '',
    thread = INSTANCE
  } = {}
) {
  runs += 1
  const limits = { timeoutMs, leastMs, limitMs }
  const source = chatScript(box.paths, { ...newest(), ...limits, thread, session })
  const ended = await box.run(source, { input: message, shell })
  return outcomeOf(ended)
}

/** As the service says it: with where files are, and where those for the person go. */
export const sayWithFiles = (message: string) =>
  say(toldWithFiles(box.paths, `chx_1-${runs + 1}`, message, []))

/** How the newest run stands after a while. */
export const follow = async ({ timeoutMs = TIMEOUT_MS, offset = 0 } = {}) =>
  outcomeOf(await box.run(followScript(box.paths, { ...newest(), offset, timeoutMs })))

export const stop = async () => (await box.run(stopScript(box.paths, newest()))).exitCode

function outcomeOf(ended: Ended) {
  const outcome = readChatOutcome(ended, 'auto')
  return typeof outcome === 'string' ? outcome : { exitCode: ended.exitCode, ...outcome }
}

export const failure = (exitCode: number, code: string, hasStarted: boolean, more = {}) => ({
  state: 'failed',
  exitCode,
  code,
  hasStarted,
  ...more
})

/** Processes of this sandbox whose command line holds a text. */
export const processes = (text: string) =>
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
