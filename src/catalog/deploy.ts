// Stage 1 of a deploy: what is put on the server, and the scripts that prepare, start, follow and clear it. Stage 2 runs
// there by itself (scripts/deploy.sh).
import { DEPLOY_STEP_STATES } from '../../schemas/deploy.ts'
import { APPS } from './apps.ts'
import { configYaml, MCP_NAME, persona, telegramEnvironment } from './configuration.ts'
import type { AppPaths } from './paths.ts'
import { assignments, environment, script, shellQuote, withoutSecrets } from './shell.ts'

/** Long enough for a restart of this service, whose gateway the first question needs. */
const PATIENCE_SECONDS = 180

export interface DeploySettings {
  deployId: string
  /** `configure`: of an agent that is there only what it is told, with new keys. */
  kind?: DeployKind
  businessName: string
  instructions?: string | undefined
  /** Tag of the release to install in place of the usual one, for an install command that goes by AGENT_RELEASE. */
  release?: string | undefined
  baseUrl: string
  apiKey: string
  model: string
  mcp?: { url: string; token: string }
  telegram?: { botToken: string; chatId: string }
  /** A line of POSIX shell that puts the app’s program into PATH. */
  installCommand: string
  isReinstall: boolean
  /** How long the first question is asked again while the gateway doesn't answer; three minutes unless given. */
  patienceSeconds?: number
}

export const DEPLOY_STEPS = [
  { id: 'install', title: 'Install the agent' },
  { id: 'version', title: 'Check its version' },
  { id: 'backup', title: 'Back up what it knows' },
  { id: 'configure', title: 'Write its configuration' },
  { id: 'persona', title: 'Write its persona' },
  { id: 'mcp', title: 'Connect the memory tools' },
  { id: 'service', title: 'Start its service' },
  { id: 'telegram', title: 'Connect Telegram' },
  { id: 'health', title: 'Check its health' },
  { id: 'smoke', title: 'Ask a first question' },
  { id: 'finish', title: 'Finish' }
] as const satisfies readonly { id: string; title: string }[]

export type DeployKind = 'install' | 'configure'

const CONFIGURES = new Set(['configure', 'persona', 'mcp', 'service', 'smoke', 'finish'])

export const stepsOfKind = (kind: DeployKind) =>
  DEPLOY_STEPS.filter(({ id }) => kind === 'install' || CONFIGURES.has(id))

const DEPLOY_STATES = ['absent', 'running', 'succeeded', 'failed', 'died'] as const

export interface DeployStatus {
  /**
   * `absent` has never been started; `died` was, and neither runs nor has an outcome: start it again, or clear it.
   * `succeeded`: the completion marker is there, and this deploy wrote it.
   */
  state: (typeof DEPLOY_STATES)[number]
  steps: { id: string; state: (typeof DEPLOY_STEP_STATES)[number]; detail?: string }[]
  /** Whole lines since the offset that was asked for, at most 64 kB, the last ones of what there is. */
  log: string
  logOffset: number
}

/** What stage 2 needs, in the order to upload it: the script comes last, so that it is there only when all is. */
export function deployFiles(settings: DeploySettings, paths: AppPaths) {
  const dir = folder(paths, settings.deployId)
  const files = [
    secret('config.yaml', configYaml(settings)),
    secret('install.sh', `${installWith(settings)}\n`),
    secret('SOUL.md', persona(settings.businessName, settings.instructions))
  ]
  if (settings.mcp) files.push(secret('config-mcp.yaml', configYaml(settings, settings.mcp)))
  if (settings.telegram) files.push(secret('telegram.env', telegramEnvironment(settings.telegram)))
  files.push({ path: 'deploy.sh', mode: 0o700, content: encode(stageTwo(settings, paths)) })
  return files.map((file) => ({ ...file, path: `${dir}/${file.path}` }))
}

const installWith = ({ release, installCommand }: DeploySettings): string =>
  (release === undefined ? '' : `export AGENT_RELEASE=${shellQuote(release)}\n`) + installCommand

const secret = (path: string, text: string) => ({ path, mode: 0o600, content: encode(text) })

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const folder = (paths: AppPaths, deployId: string): string => `${paths.deployDir}/${deployId}`

function stageTwo(settings: DeploySettings, paths: AppPaths): string {
  const values = assignments({
    is_reinstall: settings.isReinstall ? '1' : '',
    mcp_name: settings.mcp ? MCP_NAME : '',
    mcp_url: settings.mcp?.url ?? '',
    has_telegram: settings.telegram ? '1' : '',
    base_url: settings.baseUrl,
    least_version: paths.app.leastVersion,
    has_gateway: paths.app.hasHands ? '1' : '',
    patience: String(settings.patienceSeconds ?? PATIENCE_SECONDS),
    steps: stepsOfKind(settings.kind ?? 'install')
      .map(({ id }) => id)
      .join(' ')
  })
  const parts = script('owner', 'deploy-outcome', 'gateway', 'deploy-steps', 'deploy')
  return `#!/bin/sh\n${values}${context(paths, settings.deployId)}${parts}`
}

const context = (paths: AppPaths, deployId: string): string =>
  assignments({
    deploy_id: deployId,
    dir: folder(paths, deployId),
    deploy_dir: paths.deployDir,
    backup_dir: paths.backupDir,
    owner_file: `${paths.stateDir}/deploy.owner`,
    init: paths.init,
    step_ids: DEPLOY_STEPS.map(({ id }) => id).join(' ')
  }) + environment(paths)

/** What a server tells of whose place it is. */
export interface Occupant {
  machineId: string | null
  /** The instance that made the place its own; null where none did, or an earlier release of ours. */
  instanceId: string | null
  customerId: string | null
  /** Names of the deploys that left something there. */
  deploys: string[]
}

/** Looks whose place it is. Read what it printed with `readOccupant`. */
export const lookScript = (paths: AppPaths): string =>
  assignments({ deploy_dir: paths.deployDir }) + environment(paths) + script('deploy-look')

export function readOccupant(stdout: Uint8Array): Occupant {
  const lines = Buffer.from(stdout).toString('utf8').split('\n')
  const told = (name: string) =>
    lines.flatMap((line) =>
      /^\w+ [\w-]+$/.test(line) && line.startsWith(`${name} `) ? line.slice(name.length + 1) : []
    )
  return {
    machineId: told('machine')[0] ?? null,
    instanceId: told('instance')[0] ?? null,
    customerId: told('customer')[0] ?? null,
    deploys: told('deploy')
  }
}

interface Claim {
  instance: string
  customer: string
  /** What becomes of what another instance left there: out of the way, or gone. '' where there is nothing. */
  former: 'keep' | 'wipe' | ''
}

const HOMES = Object.values(APPS)
  .map(({ program, homeFolder, homeVariable }) => `${program}:${homeFolder}:${homeVariable}`)
  .join(' ')

/** Makes the place the instance's own, and the folders, before anything is uploaded. On failure its standard error says what to do. */
export const prepareScript = (
  paths: AppPaths,
  deployId: string,
  { instance, customer, former }: Claim
): string =>
  assignments({ instance, customer, former, apps: HOMES }) +
  context(paths, deployId) +
  script('owner', 'gateway', 'deploy-prepare')

/** Starts stage 2 detached. Run again, it leaves what runs or has ended as it is, and goes on with what was killed. */
export const startScript = (paths: AppPaths, deployId: string): string =>
  context(paths, deployId) + script('owner', 'deploy-outcome', 'deploy-start')

/** @param logOffset bytes of the log that are known already */
export const statusScript = (paths: AppPaths, deployId: string, logOffset: number): string =>
  assignments({ offset: String(logOffset) }) +
  context(paths, deployId) +
  script('owner', 'deploy-outcome', 'deploy-status')

/** Takes the deploy's secrets off the server. One that hasn't succeeded fails by it, and what was there before is put back. */
export const cleanScript = (paths: AppPaths, deployId: string): string =>
  context(paths, deployId) + script('owner', 'deploy-outcome', 'deploy-clean')

const NEWLINE = 10

/** From what `statusScript` printed. @throws Error when this isn't what it prints */
export function readDeployStatus(stdout: Uint8Array): DeployStatus {
  const answer = Buffer.from(stdout)
  const at = answer.indexOf('\nlog ')
  const end = answer.indexOf('\n', at + 1)
  const lines = answer.toString('utf8', 0, Math.max(at, 0)).split('\n')
  const [, offset, skipped] = answer.toString('latin1', at + 1, end).split(' ')
  const state = DEPLOY_STATES.find((known) => lines.includes(`state ${known}`))
  if (!state) throw new Error('The server’s answer about the deploy can’t be read.')
  const bytes = answer.subarray(end + 1)
  // The log went on too far since it was read last: its bytes begin somewhere in a line.
  const from = skipped === '1' ? bytes.indexOf(NEWLINE) + 1 : 0
  // Whole lines only, while there are more to come: half a secret can't be told from a word.
  const isOver = state !== 'running' && state !== 'absent'
  const to = isOver ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1
  return {
    state,
    steps: DEPLOY_STEPS.map(({ id }) => readStep(id, lines)),
    log: withoutSecrets(bytes.toString('utf8', from, Math.max(from, to))),
    logOffset: Number(offset) + to
  }
}

function readStep(id: string, lines: readonly string[]): DeployStatus['steps'][number] {
  const prefix = `step ${id} `
  const line = lines.find((candidate) => candidate.startsWith(prefix))?.slice(prefix.length) ?? ''
  const [word] = line.split(' ', 1)
  const state = DEPLOY_STEP_STATES.find((known) => known === word) ?? 'pending'
  // A character may have been cut in two by a limit in bytes.
  const detail = withoutSecrets(line.slice(state.length).replaceAll('\uFFFD', '').trim())
  return detail === '' ? { id, state } : { id, state, detail }
}
