// The agent's own service, for what it does by the clock and for Telegram: what is said to work does.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { environment } from '../../src/catalog/shell.ts'
import { giveInit, setFaults } from '../support/agent/stand-in.ts'
import { BOT_TOKEN, type Deployer, detailOf, makeDeployer, stepStates } from './deploying.ts'

const TELEGRAM = { botToken: BOT_TOKEN, chatId: '77' }

let deployer: Deployer
beforeEach(() => {
  deployer = makeDeployer({ baseUrl: 'http://127.0.0.1:9/v1' })
  setFaults(deployer.box.paths.home, 'offline')
})
afterEach(() => deployer.box.remove())

const give = () => giveInit({ root: deployer.box.root, home: deployer.box.paths.home })
/** What the agent on the server answers, once its message is through. */
const say = async (message: string) => {
  const { stdout } = await deployer.box.run(
    `${environment(deployer.box.paths)}hermes chat -Q --query="${message}"\n`
  )
  return Buffer.from(stdout).toString().trim()
}
const agentFile = (name: string) => readFileSync(join(deployer.agentHome, name), 'utf8')

describe('the agent’s service', () => {
  it('runs wherever there is an init, Telegram or not, and goes on with what a reinstall brings', async () => {
    give()
    expect(stepStates(await deployer.deploy())).toMatchObject({ service: 'done', telegram: 'skipped' })
    expect(agentFile('stand-in/hermes-gateway.service')).toContain('User=root')
    expect(agentFile('config.yaml')).not.toContain('disabled_toolsets')
    const restarts = () => agentFile('systemctl.log').match(/^restart hermes-gateway/gm)?.length
    const before = Number(restarts())
    await deployer.deploy({ deployId: 'dep_2', isReinstall: true })
    expect(restarts()).toBeGreaterThan(before)
    expect(await say('It makes a schedule')).toBe('It will be done.')
    await deployer.deploy({ deployId: 'dep_3', isReinstall: true })
    expect(JSON.parse(agentFile('cron/jobs.json'))).toEqual([{ task: 'It makes a schedule', ran: true }])
  })

  it('isn’t promised where nothing would run it: the tool for schedules is off', async () => {
    const status = await deployer.deploy({ mcp: { url: 'http://127.0.0.1:9/api/mcp', token: 'mct_none' } })
    expect(stepStates(status)).toMatchObject({ service: 'skipped' })
    expect(agentFile('config.yaml')).toContain('agent:\n  disabled_toolsets: [cronjob]\n')
    expect(existsSync(join(deployer.agentHome, 'stand-in/hermes-gateway.service'))).toBe(false)
    expect(await say('It makes a schedule')).toBe('I have no tool to do things by the clock.')
  })
})

describe('Telegram', () => {
  it('is done when the agent says that it is connected, with what its installer leaves out', async () => {
    give()
    const status = await deployer.deploy({ telegram: TELEGRAM })
    expect(detailOf(status, 'telegram')).toBe('Connected.')
    expect(JSON.parse(agentFile('gateway_state.json'))).toMatchObject({
      platforms: { telegram: { state: 'connected' } }
    })
  })

  it('isn’t done where what it takes can’t be installed', async () => {
    give()
    const installCommand = 'true'
    await deployer.deploy()
    rmSync(join(deployer.box.paths.home, '.local/bin/uv'))
    const status = await deployer.deploy({
      deployId: 'dep_2',
      isReinstall: true,
      installCommand,
      telegram: TELEGRAM
    })
    expect(status.state).toBe('succeeded')
    expect(stepStates(status)).toMatchObject({ service: 'done', telegram: 'warned' })
    expect(detailOf(status, 'telegram')).toContain('No adapter available for telegram')
  })

  it('isn’t done where Telegram refuses the token, which isn’t told', async () => {
    give()
    writeFileSync(join(deployer.agentHome, 'faults'), 'offline\nbad-bot-token\n')
    const status = await deployer.deploy({ telegram: TELEGRAM })
    expect(stepStates(status)).toMatchObject({ telegram: 'warned', smoke: 'done' })
    expect(detailOf(status, 'telegram')).toContain('was rejected by the server')
    expect(JSON.stringify(status)).not.toContain(BOT_TOKEN)
  })

  it('isn’t done where there is no init', async () => {
    const status = await deployer.deploy({ telegram: TELEGRAM })
    expect(stepStates(status)).toMatchObject({ service: 'skipped', telegram: 'warned', smoke: 'done' })
    expect(detailOf(status, 'telegram')).toContain('systemd')
  })
})
