// A deploy from its files to the marker, run by this machine's shell against the stand-in agent.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatScript, readChatOutcome } from '../../src/catalog/chat.ts'
import { script } from '../../src/catalog/shell.ts'
import { giveInit, setFaults } from '../support/agent/stand-in.ts'
import {
  API_KEY,
  BOT_TOKEN,
  type Deployer,
  detailOf,
  MCP_TOKEN,
  makeDeployer,
  stepStates
} from './deploying.ts'
import { type Gateway, startGateway } from './gateway.ts'

let gateway: Gateway
let deployer: Deployer

beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())
beforeEach(() => {
  gateway.seen.length = 0
  gateway.refuse()
  deployer = makeDeployer({ baseUrl: gateway.baseUrl })
})
afterEach(() => deployer.box.remove())

const home = (...parts: string[]) => join(deployer.agentHome, ...parts)
const read = (...parts: string[]) => readFileSync(home(...parts), 'utf8')
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

async function chat(message: string) {
  const ended = await deployer.box.run(
    chatScript(deployer.box.paths, {
      ...{ timeoutMs: 30_000, leastMs: 10, limitMs: 60_000 },
      ...{ instance: 'ins_1', run: 'chx_1-1', thread: 'ins_1' }
    }),
    {
      input: message
    }
  )
  return readChatOutcome(ended, 'auto')
}

describe('a deploy', () => {
  it('ends with the agent ready, configured and of its persona', async () => {
    expect(await deployer.status()).toMatchObject({ state: 'absent' })
    expect(deployer.marker()).toBeUndefined()
    giveInit({ root: deployer.box.root, home: deployer.box.paths.home })
    const status = await deployer.deploy({
      businessName: 'Zahnarzt "Müller"\n$(id)',
      mcp: { url: gateway.mcpUrl, token: MCP_TOKEN },
      telegram: { botToken: BOT_TOKEN, chatId: '-1001234' }
    })
    expect(stepStates(status)).toEqual({
      install: 'done',
      version: 'done',
      backup: 'skipped',
      configure: 'done',
      persona: 'done',
      mcp: 'done',
      service: 'done',
      telegram: 'done',
      health: 'done',
      smoke: 'done',
      finish: 'done'
    })
    expect(status).toMatchObject({ state: 'succeeded' })
    expect(deployer.marker()).toBe('dep_1')
    expect(detailOf(status, 'version')).toBe('Hermes Agent v0.15.1 (2026.5.29)')
    expect(detailOf(status, 'mcp')).toBe('Registered and reached.')
    expect(deployer.marker()).toBe('dep_1')
    expect(read('config.yaml')).toContain(`api_key: "${API_KEY}"`)
    expect(read('SOUL.md')).toMatch(/^# Zahnarzt "Müller" \$\(id\)\n/)
    expect(read('.env')).toContain('TELEGRAM_GROUP_ALLOWED_CHATS=-1001234\n')
    expect(read('stand-in', 'hermes-gateway.service')).toContain('User=root')
    for (const file of ['config.yaml', '.env', 'SOUL.md']) expect(mode(home(file))).toBe('600')
    const authorizations = new Set(gateway.seen.map(({ authorization }) => authorization))
    expect(authorizations).toEqual(new Set([`Bearer ${API_KEY}`, `Bearer ${MCP_TOKEN}`]))
  })

  it('leaves its first question out of the customer’s conversation', async () => {
    await deployer.deploy()
    setFaults(deployer.box.paths.home, 'offline')
    expect(await chat('Hello')).toMatchObject({ reply: 'You said: Hello\n\nTurn 1.' })
  })

  it('never shows a secret in a command line, and keeps them in the agent’s files alone', async () => {
    const secrets = [API_KEY, MCP_TOKEN, BOT_TOKEN]
    const shown: string[] = []
    await deployer.upload({
      mcp: { url: gateway.mcpUrl, token: MCP_TOKEN },
      telegram: { botToken: BOT_TOKEN, chatId: '77' }
    })
    for (const file of deployer.files().filter((name) => name !== 'deploy.sh'))
      expect(mode(join(deployer.box.paths.deployDir, 'dep_1', file))).toBe('600')
    await deployer.start()
    const status = await deployer.ended('dep_1', () => shown.push(...commandLines()))
    expect(status.state).toBe('succeeded')
    expect(shown.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([])
    const holders = (secret: string) =>
      execFileSync('grep', ['-rlF', secret, '.'], { cwd: deployer.box.root, encoding: 'utf8' }).trim()
    expect(holders(API_KEY)).toBe('./home/.hermes/config.yaml')
    expect(holders(MCP_TOKEN)).toBe('./home/.hermes/config.yaml')
    expect(holders(BOT_TOKEN)).toBe('./home/.hermes/.env')
  })

  it('adds to what the agent’s environment file holds, and keeps a configuration that isn’t ours', async () => {
    deployer.box.write(home('.env'), 'OTHER=1\nTELEGRAM_BOT_TOKEN=former\nTELEGRAM_GROUP_ALLOWED_CHATS=-5')
    deployer.box.write(home('config.yaml'), 'model:\n  default: own\n')
    await deployer.deploy({ telegram: { botToken: BOT_TOKEN, chatId: '77' } })
    expect(read('.env')).toBe(
      `OTHER=1\nTELEGRAM_BOT_TOKEN=${BOT_TOKEN}\nTELEGRAM_ALLOWED_USERS=77\nTELEGRAM_HOME_CHANNEL=77\n`
    )
    expect(read('config.yaml.before-deploy')).toBe('model:\n  default: own\n')
  })

  it('goes on with a warning where something optional fails', async () => {
    giveInit({ root: deployer.box.root, home: deployer.box.paths.home })
    setFaults(deployer.box.paths.home, 'no-gateway-service', 'no-mcp', 'blocked-soul')
    const status = await deployer.deploy({
      mcp: { url: gateway.mcpUrl, token: MCP_TOKEN },
      telegram: { botToken: BOT_TOKEN, chatId: '77' }
    })
    expect(status.state).toBe('succeeded')
    expect(stepStates(status)).toMatchObject({
      ...{ mcp: 'warned', service: 'warned', telegram: 'warned', smoke: 'warned' }
    })
    expect(detailOf(status, 'mcp')).toContain(`can’t reach them at ${gateway.mcpUrl}`)
    expect(detailOf(status, 'service')).toContain('System gateway service could not be installed')
    expect(detailOf(status, 'smoke')).toContain('refuses the persona')
    // An address that can't be reached would slow each chat down.
    expect(read('config.yaml')).not.toContain('mcp_servers')
  })

  it('fails where the agent can’t be installed, with its last words', async () => {
    const installCommand = 'echo Fetching; echo "curl: (6) Could not resolve host: example.com" >&2; exit 6'
    const status = await deployer.deploy({ installCommand })
    expect(status).toMatchObject({ state: 'failed' })
    expect(deployer.marker()).toBeUndefined()
    expect(stepStates(status)).toMatchObject({ install: 'failed', version: 'pending' })
    expect(detailOf(status, 'install')).toContain(
      'The install command ended with 6: Fetching curl: (6) Could not resolve host: example.com Check that'
    )
    expect(deployer.files()).not.toContain('config.yaml')
    expect(deployer.marker()).toBeUndefined()
    expect((await deployer.deploy({ deployId: 'dep_2', installCommand: 'true' })).steps[0]).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('there is no hermes in')
    })
  })

  it('fails with a release that is too old', async () => {
    setFaults(deployer.box.paths.home, 'version 0.9.30')
    const status = await deployer.deploy()
    expect(status.state).toBe('failed')
    expect(detailOf(status, 'version')).toContain(
      'The agent is of version 0.9.30; 0.15.1 or later is needed.'
    )
  })

  it('compares releases as numbers', () => {
    const isEnough = (version: string) => {
      const source = `${script('deploy-steps')}\nis_at_least ${version} 0.15.1 && echo yes || echo no`
      return execFileSync('/bin/sh', ['-c', source], { encoding: 'utf8' }).trim()
    }
    const enough = ['0.15.1', '0.15.2', '0.15.10', '0.16.0', '0.100.0', '1.0.0', '10.0.0']
    const tooOld = ['0.15.0', '0.9.9', '0.2.100', '0.0.1']
    expect(enough.map(isEnough)).toEqual(enough.map(() => 'yes'))
    expect(tooOld.map(isEnough)).toEqual(tooOld.map(() => 'no'))
  })

  it('waits for a gateway that restarts, and not for one that refuses', async () => {
    // The agent itself tries a broken connection three times.
    gateway.refuse(503, 'broken', 'broken', 'broken')
    expect((await deployer.deploy({ patienceSeconds: 120 })).state).toBe('succeeded')
    gateway.refuse(401)
    const status = await deployer.deploy({ deployId: 'dep_2', patienceSeconds: 120 })
    expect(status.state).toBe('failed')
    expect(detailOf(status, 'smoke')).toBe(
      `The agent gave no answer: Error: HTTP 401: Not now: ••• Check that this server reaches the AI gateway at ${gateway.baseUrl}.`
    )
    expect(status.log).not.toContain('sk-')
  })

  it('fails when the agent has no words', async () => {
    setFaults(deployer.box.paths.home, 'empty')
    const status = await deployer.deploy()
    expect(detailOf(status, 'smoke')).toContain('The agent gave no answer: The reply was empty.')
  })

  it('tells the log piece by piece, in whole lines, and its end to whoever lags behind', async () => {
    const go = join(deployer.box.root, 'go')
    const installCommand = `printf 'first\\nsecond'; until [ -e ${go} ]; do sleep 0.05; done; yes line | head -n 20000; false`
    await deployer.upload({ installCommand })
    await deployer.start()
    let status = await deployer.status()
    while (!status.log.includes('first\n')) status = await deployer.status()
    expect(status.log.endsWith('first\n')).toBe(true)
    deployer.box.write(go, '')
    await deployer.ended()
    const rest = await deployer.status('dep_1', status.logOffset)
    expect(rest.log.length).toBeLessThanOrEqual(65_536)
    expect(rest.log).toMatch(/^line\nline\n/)
    expect(rest.log).toContain('install: failed.')
    expect((await deployer.status('dep_1', rest.logOffset)).log).toBe('')
    expect(rest.logOffset).toBe(statSync(join(deployer.box.paths.deployDir, 'dep_1', 'log')).size)
  })
})

describe('a reinstall', () => {
  beforeEach(async () => {
    await deployer.deploy({ businessName: 'Former name', apiKey: 'sk-former-key-of-the-agent' })
    setFaults(deployer.box.paths.home, 'offline')
    await chat('Remember me')
  })

  it('backs the agent’s home up without its keys, and keeps its history', async () => {
    const again = { deployId: 'dep_2', businessName: 'New name', isReinstall: true }
    const status = await deployer.deploy(again)
    expect(status.state).toBe('succeeded')
    expect(deployer.marker()).toBe('dep_2')
    expect(read('config.yaml')).toContain(API_KEY)
    expect(read('SOUL.md')).toContain('# New name')
    expect(await chat('Who am I?')).toMatchObject({
      reply: expect.stringMatching(
        /Your name is New name\.[\s\S]*\nWho am I\?\n\nTurn 2\. Before that: Remember me$/
      )
    })
    const [backup = ''] = readdirSync(deployer.box.paths.backupDir)
    expect(backup).toBe('dep_2.tar.gz')
    const path = join(deployer.box.paths.backupDir, backup)
    expect(mode(path)).toBe('600')
    const names = execFileSync('tar', ['-tzf', path], { encoding: 'utf8' })
    expect(names).toContain('./sessions/')
    expect(names).toContain('./SOUL.md')
    expect(names).not.toMatch(/config\.yaml|\.env/)
  })

  it('isn’t ready while it runs, and leaves all as it was when it fails', async () => {
    const markers: (string | undefined)[] = []
    await deployer.upload({ deployId: 'dep_2', businessName: 'New name', isReinstall: true })
    setFaults(deployer.box.paths.home, 'offline', 'empty')
    await deployer.start('dep_2')
    const status = await deployer.ended('dep_2', () => markers.push(deployer.marker()))
    expect(status).toMatchObject({ state: 'failed' })
    expect(markers).toContain(undefined)
    expect(deployer.marker()).toBe('dep_1')
    expect(read('config.yaml')).toContain('sk-former-key-of-the-agent')
    expect(read('SOUL.md')).toContain('# Former name')
    setFaults(deployer.box.paths.home, 'offline')
    expect(await chat('Still there?')).toMatchObject({ reply: expect.stringContaining('Turn 2.') })
    expect(existsSync(join(deployer.box.paths.deployDir, 'dep_2', 'former'))).toBe(false)
  })
})

const commandLines = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
