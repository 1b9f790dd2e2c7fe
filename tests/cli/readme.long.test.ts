// What the README says can be pasted is pasted.
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cliFile, environmentAt } from '../support/cli.ts'
import { makeTestPlace } from '../support/databases.ts'

/** It starts a dozen processes; a machine on which much else runs may take minutes. */
const DEMO_READY_MS = 300_000

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** The shell blocks below a heading, up to the next one of its level. */
function shellBlocks(heading: string): string[] {
  const from = readme.indexOf(`\n## ${heading}\n`)
  const to = readme.indexOf('\n## ', from + 1)
  return [...readme.slice(from, to).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
}

function bash(script: string, env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      'bash',
      ['-euo', 'pipefail', '-c', script],
      { cwd: root, env },
      (_, stdout, stderr) => resolve({ code: child.exitCode, output: stdout + stderr })
    )
  })
}

/** The sandbox server takes what customers' servers have. */
const onLinux = it.skipIf(process.platform !== 'linux')

/** The command lines of processes that work in the folder of a sandbox server. */
function processesOf(sandbox: string): string[] {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      // It has ended by now.
      return ''
    }
  }
  return (existsSync('/proc') ? readdirSync('/proc') : [])
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ command: read(`/proc/${pid}/cmdline`), environment: read(`/proc/${pid}/environ`) }))
    .filter(({ command, environment }) => `${command}\0${environment}`.includes(`${sandbox}/`))
    .map(({ command }) => command.replaceAll('\0', ' '))
}

describe('the README', () => {
  it('names commands of the operator that work as they stand', async () => {
    const place = await makeTestPlace('sqlite')
    const commands = shellBlocks('Running it').find((block) => block.includes('partner create')) ?? ''
    const { code, output } = await bash(
      commands.replaceAll('npx mindgate', `"${process.execPath}" "${cliFile}"`),
      environmentAt(place)
    )
    await place.remove()
    expect(output).toContain('pkt_')
    expect(code).toBe(0)
  })
})

describe('the demo', () => {
  let folder: string
  let stop: () => Promise<number | null>
  let welcome = ''

  beforeAll(async () => {
    folder = join(mkdtempSync(join(tmpdir(), 'mindgate-demo-')), 'demo')
    const child = spawn(process.execPath, [join(root, 'scripts/demo.mjs')], {
      cwd: root,
      // The model of whoever runs the tests is none of theirs.
      env: { ...process.env, DEMO_DIR: folder, AI_UPSTREAM_URL: '' },
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const exited = new Promise<number | null>((resolve) => {
      child.once('exit', resolve)
    })
    stop = () => {
      child.kill('SIGINT')
      return exited
    }
    const isReady = new Promise((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        welcome += text
        if (welcome.includes('npx mindgate partner list')) resolve(true)
      })
    })
    await Promise.race([isReady, exited])
  }, DEMO_READY_MS)
  afterAll(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const paste = (block: string) =>
    bash(block.replaceAll('data/demo', folder), { ...process.env, NO_COLOR: '1' })

  it('runs the tour of the README as it stands', async () => {
    const [curl = '', ...rest] = shellBlocks('A tour')
    const program = rest.find((block) => block.startsWith('node ')) ?? ''
    const { code, output } = await paste(`${curl}\n${program}`)
    expect(output).not.toContain('"success":false')
    expect(output.match(/"success":true/g)).toHaveLength(11)
    for (const told of [
      'Clínica Sol',
      'estimatedPrice',
      '"margin"',
      '"status":"draft"',
      'agent_ready',
      '"blocked"',
      '"granted"'
    ])
      expect(output).toContain(told)
    expect(output).toContain('customer_onboard: ')
    expect(output).toContain("companyName: 'さくら旅館'")
    expect(code).toBe(0)
  })

  it('prints lines that work when they are pasted', async () => {
    const lines = welcome
      .split('\n')
      .filter((line) => /^ {2}(source|curl| {2}-d| {2}"\$MINDGATE_URL)/.test(line))
      .join('\n')
    const { code, output } = await paste(lines)
    expect(output.match(/"success":true/g)).toHaveLength(2)
    expect(code).toBe(0)
  })

  const signIn = async (channel: string) => {
    const [, address = '', email = '', password = ''] =
      new RegExp(`${channel} +(\\S+)\\n +(\\S+), password: (.+)`).exec(welcome) ?? []
    const answer = await fetch(`${address}/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password })
    })
    return { address, status: answer.status, cookie: answer.headers.getSetCookie().join('; ') }
  }

  it('prints sign-ins to the console and to a portal that work', async () => {
    expect((await signIn('Console')).status).toBe(200)
    const portal = await signIn('Portal')
    expect(portal.status).toBe(200)
    const memory = await fetch(`${portal.address}/memory`, { headers: { cookie: portal.cookie } })
    expect(await memory.text()).toContain('Clínica Sol in Madrid')
  })

  onLinux(
    'prints the address of a chat whose agent answers, as a stand-in that says so, and remembers',
    async () => {
      const [, address = ''] = /Chat +(\S+\/chat)\n/.exec(welcome) ?? []
      const { cookie } = await signIn('Portal')
      const chatPage = await fetch(address, { headers: { cookie } })
      const [, instance = ''] = /<mindgate-chat[^>]* instance="(ins_\w+)"/.exec(await chatPage.text()) ?? []
      const say = async (message: string) => {
        const answer = await fetch(
          new URL(`/api/whitelabel/vps/instances/${instance}/cli-agent/chat`, address),
          {
            method: 'POST',
            headers: { cookie, 'content-type': 'application/json' },
            body: JSON.stringify({ message })
          }
        )
        return { status: answer.status, body: await answer.text() }
      }
      const first = await say('Do you know me?')
      expect(first.status).toBe(200)
      for (const told of ['Do you know me?', 'stand-in', 'AI_UPSTREAM_URL='])
        expect(first.body).toContain(told)
      const second = await say('And now?')
      for (const told of ['And now?', 'Do you know me?']) expect(second.body).toContain(told)
    }
  )

  onLinux(
    'lets its server be deployed again and chatted with as the README says',
    async () => {
      const [tour = '', ...rest] = shellBlocks('A tour')
      const start = tour.slice(0, tour.indexOf('\n\n'))
      const block = rest.find((candidate) => candidate.includes('confirmReinstall')) ?? ''
      const { code, output } = await paste(
        `${start}\n${block.replaceAll('npx mindgate', `"${process.execPath}" "${cliFile}"`)}`
      )
      expect(output).toContain('"state":"succeeded"')
      expect(output).toContain('its agent is ready')
      expect(output).toContain('The server lets us in by a new key')
      expect(output).toMatch(/"reply":"[^"]*Who is on duty today\?/)
      expect(code).toBe(0)
    },
    DEMO_READY_MS
  )

  it('has customers in every state and their mails in the outbox', async () => {
    const { output } = await paste(
      `source data/demo/env
       curl -sS -H "Authorization: Bearer $MINDGATE_KEY" "$MINDGATE_URL/api/v1/mcp/customers?limit=100"`
    )
    for (const state of ['none', 'active', 'suspended'])
      expect(output).toContain(`"credentialStatus":"${state}"`)
    for (const state of ['"isOnTrial":true', '"hasVoiceAgentA":true', '"hasVoiceAgentB":true'])
      expect(output).toContain(state)
    expect(
      readdirSync(join(folder, 'outbox')).filter((name) => name.endsWith('.eml')).length
    ).toBeGreaterThan(5)
  })

  it('does not wipe the folder of a demo that runs', async () => {
    const { code, output } = await paste(`DEMO_DIR=data/demo "${process.execPath}" scripts/demo.mjs`)
    expect(code).toBe(1)
    expect(output).toContain('runs already')
  })

  it('does not wipe a folder that no demo made', async () => {
    const foreign = mkdtempSync(join(tmpdir(), 'mindgate-foreign-'))
    writeFileSync(join(foreign, 'thesis.txt'), 'years of work')
    const { code, output } = await paste(`DEMO_DIR="${foreign}" "${process.execPath}" scripts/demo.mjs`)
    expect(readdirSync(foreign)).toEqual(['thesis.txt'])
    rmSync(foreign, { recursive: true })
    expect(code).toBe(1)
    expect(output).toContain('no demo made')
  })

  it('ends in order on Ctrl-C, its sandbox server included', async () => {
    const sandbox = join(folder, 'server')
    expect(processesOf(sandbox).length > 0).toBe(process.platform === 'linux')
    expect(await stop()).toBe(0)
    expect(readFileSync(join(folder, 'service.log'), 'utf8')).toContain('"msg":"stopped"')
    expect(processesOf(sandbox)).toEqual([])
  })
})
