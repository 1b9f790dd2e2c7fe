// Puts a deploy into a sandbox as stage 1 does over SSH, and follows it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import {
  cleanScript,
  type DeploySettings,
  type DeployStatus,
  deployFiles,
  prepareScript,
  readDeployStatus,
  startScript,
  statusScript
} from '../../src/catalog/deploy.ts'
import { standInInstall } from '../support/agent/stand-in.ts'
import { makeSandbox, type Sandbox } from './local-shell.ts'

const POLL_MS = 50

export const API_KEY = 'sk-0123456789abcdefghij'
export const MCP_TOKEN = 'mct_0123456789abcdefghij'
export const BOT_TOKEN = '1234567890:AAabcdefghijklmnopqrstuvwxyz_012345'

export interface Deployer {
  box: Sandbox
  /** HERMES_HOME. */
  agentHome: string
  upload(
    settings?: Partial<DeploySettings> & { former?: 'keep' | 'wipe' | '' },
    edit?: (script: string) => string
  ): Promise<void>
  start(deployId?: string): Promise<void>
  status(deployId?: string, offset?: number): Promise<DeployStatus>
  /** Until it doesn't run any more; `look` is called before each poll, and polls then follow at once. */
  ended(deployId?: string, look?: () => void): Promise<DeployStatus>
  deploy(settings?: Parameters<Deployer['upload']>[0]): Promise<DeployStatus>
  clean(deployId?: string): Promise<void>
  /** Files of a deploy, below its folder. */
  files(deployId?: string): string[]
  marker(): string | undefined
}

export function makeDeployer(defaults: Pick<DeploySettings, 'baseUrl'> & Partial<DeploySettings>): Deployer {
  const box = makeSandbox()
  const settingsWith = (settings: Partial<DeploySettings>): DeploySettings => ({
    deployId: 'dep_1',
    businessName: 'Mueller Dental',
    apiKey: API_KEY,
    model: 'auto',
    installCommand: standInInstall,
    isReinstall: false,
    patienceSeconds: 0,
    ...defaults,
    ...settings
  })
  const succeed = async (script: string) => {
    const { exitCode, stderr } = await box.run(script)
    expect({ exitCode, stderr: Buffer.from(stderr).toString() }).toEqual({ exitCode: 0, stderr: '' })
  }
  const deployer: Deployer = {
    box,
    agentHome: join(box.paths.home, '.hermes'),
    async upload({ former = '', ...settings } = {}, edit = (script) => script) {
      const whole = settingsWith(settings)
      await succeed(
        prepareScript(box.paths, whole.deployId, { instance: 'ins_1', customer: 'cus_1', former })
      )
      for (const { path, mode, content } of deployFiles(whole, box.paths)) {
        const isScript = path.endsWith('/deploy.sh')
        box.write(path, isScript ? edit(Buffer.from(content).toString()) : content, mode)
      }
    },
    start: (deployId = 'dep_1') => succeed(startScript(box.paths, deployId)),
    async status(deployId = 'dep_1', offset = 0) {
      const { exitCode, stdout, stderr } = await box.run(statusScript(box.paths, deployId, offset))
      expect({ exitCode, stderr: Buffer.from(stderr).toString() }).toEqual({ exitCode: 0, stderr: '' })
      return readDeployStatus(stdout)
    },
    async ended(deployId = 'dep_1', look) {
      for (;;) {
        look?.()
        const status = await deployer.status(deployId)
        if (status.state !== 'running') return status
        // To ask takes a dozen processes, which the deploy could use; whoever looks is to miss nothing.
        if (!look) await sleep(POLL_MS)
      }
    },
    async deploy(settings = {}) {
      await deployer.upload(settings)
      await deployer.start(settings.deployId)
      return deployer.ended(settings.deployId)
    },
    clean: (deployId = 'dep_1') => succeed(cleanScript(box.paths, deployId)),
    files: (deployId = 'dep_1') =>
      readdirSync(join(box.paths.deployDir, deployId), { recursive: true, encoding: 'utf8' }).sort(),
    marker: () => (existsSync(box.paths.marker) ? readFileSync(box.paths.marker, 'utf8').trim() : undefined)
  }
  return deployer
}

/** `install: done`, `version: done`, … */
export const stepStates = (status: DeployStatus): Record<string, string> =>
  Object.fromEntries(status.steps.map(({ id, state }) => [id, state]))

export const detailOf = (status: DeployStatus, id: string): string | undefined =>
  status.steps.find((step) => step.id === id)?.detail
