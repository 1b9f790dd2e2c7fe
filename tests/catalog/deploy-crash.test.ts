// Stage 2 killed at any point and started again, ended by the service, or met by another.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startScript } from '../../src/catalog/deploy.ts'
import { standInInstall } from '../support/agent/stand-in.ts'
import { nextInstant } from '../support/next-instant.ts'
import { API_KEY, type Deployer, MCP_TOKEN, makeDeployer } from './deploying.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { expectEndsRight } from './killing.ts'

let gateway: Gateway
let deployer: Deployer

beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.close())
beforeEach(() => {
  deployer = makeDeployer({ baseUrl: gateway.baseUrl })
})
afterEach(() => deployer.box.remove())

const owner = () =>
  Number(readFileSync(join(deployer.box.paths.stateDir, 'deploy.owner'), 'utf8').split(' ')[0])

const isAlive = (pid: number) => {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** An install that waits, the first time only, for longer than any test; it tells the pid of its child. */
const waitingInstall = () => {
  const { root } = deployer.box
  return `[ -e ${root}/ran ] || { : >${root}/ran; sleep 300 & echo $! >${root}/child; wait; }; ${standInInstall}`
}

async function childOfInstall(): Promise<number> {
  const file = join(deployer.box.root, 'child')
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await nextInstant()
  return Number(readFileSync(file, 'utf8'))
}

describe('stage 2', () => {
  it('ends right, however often it is killed', async () => {
    await expectEndsRight(deployer, gateway, ['start', 'after-install', 'before-mcp', 'after-finish'])
  })

  it('ends what a run before it left at work', async () => {
    await deployer.upload({ installCommand: waitingInstall() })
    await deployer.start()
    const child = await childOfInstall()
    process.kill(owner(), 'SIGKILL')
    expect(await deployer.ended()).toMatchObject({ state: 'died' })
    expect(isAlive(child)).toBe(true)
    await deployer.start()
    expect(await deployer.ended()).toMatchObject({ state: 'succeeded' })
    expect(isAlive(child)).toBe(false)
  })

  it('isn’t started twice', async () => {
    await deployer.upload({ installCommand: waitingInstall() })
    await Promise.all([deployer.start(), deployer.start(), deployer.start()])
    const child = await childOfInstall()
    const first = owner()
    await deployer.start()
    expect(owner()).toBe(first)
    process.kill(child)
    const { log } = await deployer.ended()
    expect(log.match(/== install/g)).toHaveLength(1)
    await deployer.start()
    expect((await deployer.status()).log).toBe(log)
  })

  it('has begun for a second starter, too, however late that goes on from its look at the owner', async () => {
    await deployer.upload({ installCommand: waitingInstall() })
    const { paths, root } = deployer.box
    const looked = join(root, 'looked')
    const wait = `: >${looked}; while [ ! -s "$owner_file" ]; do sleep 0.01; done`
    const [before, after] = startScript(paths, 'dep_1').split(/(?<=exit 75\nfi\n)/)
    expect(after).toContain('owner_before')
    const second = deployer.box.run(`${before}${wait}\n${after}`)
    await vi.waitUntil(() => existsSync(looked), { timeout: 20_000 })
    await deployer.start()
    expect((await second).exitCode).toBe(0)
    process.kill(await childOfInstall())
    expect((await deployer.ended()).log.match(/== install/g)).toHaveLength(1)
  })

  it('doesn’t run beside another deploy', async () => {
    await deployer.upload({ installCommand: waitingInstall() })
    await deployer.start()
    const child = await childOfInstall()
    await deployer.upload({ deployId: 'dep_2' })
    const refused = await deployer.box.run(startScript(deployer.box.paths, 'dep_2'))
    expect(refused.exitCode).toBe(75)
    expect(Buffer.from(refused.stderr).toString()).toBe('Another deploy is running on this server.\n')
    expect(await deployer.status('dep_2')).toMatchObject({ state: 'absent' })
    expect(deployer.files('dep_2')).toContain('deploy.sh')
    process.kill(child)
    expect(await deployer.ended()).toMatchObject({ state: 'succeeded' })
  })

  it('can’t be started where its files aren’t', async () => {
    const refused = await deployer.box.run(startScript(deployer.box.paths, 'dep_1'))
    expect(refused.exitCode).toBe(66)
  })
})

describe('clearing a deploy', () => {
  it('takes the secrets away before it was started', async () => {
    await deployer.upload({ mcp: { url: gateway.mcpUrl, token: MCP_TOKEN } })
    await deployer.clean()
    expect(deployer.files()).toEqual(['SOUL.md', 'deploy.sh'])
    await deployer.clean('dep_unknown')
  })

  it('ends one that runs, for good, and puts back what was there', async () => {
    await deployer.deploy({ apiKey: 'sk-former-key-of-the-agent' })
    await deployer.upload({ deployId: 'dep_2', isReinstall: true, installCommand: waitingInstall() })
    await deployer.start('dep_2')
    const child = await childOfInstall()
    expect(deployer.marker()).toBeUndefined()
    await deployer.clean('dep_2')
    expect(isAlive(child)).toBe(false)
    expect(deployer.marker()).toBe('dep_1')
    expect(await deployer.status('dep_2')).toMatchObject({ state: 'failed' })
    await deployer.start('dep_2')
    expect(await deployer.status('dep_2')).toMatchObject({ state: 'failed' })
    expect(deployer.files('dep_2').filter((file) => /\.yaml$|install\.sh|former/.test(file))).toEqual([])
  })

  it('keeps what a finished one made', async () => {
    await deployer.deploy()
    await deployer.clean()
    expect(await deployer.status()).toMatchObject({ state: 'succeeded' })
    expect(deployer.marker()).toBe('dep_1')
    expect(readFileSync(join(deployer.agentHome, 'config.yaml'), 'utf8')).toContain(API_KEY)
  })
})
