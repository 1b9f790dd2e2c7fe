// A deploy as it is kept and shown: its steps, what the service does first and then the script's own, and its log.
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { type Deploy, type DeployProgress, DeployStep } from '../../../schemas/deploy.ts'
import { type DeployKind, type DeployStatus, stepsOfKind } from '../../catalog/deploy.ts'
import { withoutSecrets } from '../../catalog/shell.ts'
import type { Tables } from '../../database/tables.ts'
import type { InstanceRow } from '../store.ts'

const OWN_STEPS = [
  { id: 'connect', title: 'Connect to the server' },
  { id: 'key', title: 'Make the agent’s AI key' },
  { id: 'upload', title: 'Upload script and settings' }
] as const

type OwnStep = (typeof OWN_STEPS)[number]['id']

const Steps = z.array(DeployStep.extend({ id: z.string() }))
type KeptStep = z.output<typeof Steps>[number]

export const readSteps = (json: string): KeptStep[] => Steps.parse(JSON.parse(json))

export const stepsBefore = (kind: DeployKind): KeptStep[] =>
  [...OWN_STEPS, ...stepsOfKind(kind)].map(({ id, title }) => ({ id, title, state: 'pending', detail: '' }))

/** The service is at `step`, or through with its own. */
export function stepsAt(step: OwnStep | 'done', kind: DeployKind): KeptStep[] {
  const at = step === 'done' ? OWN_STEPS.length : OWN_STEPS.findIndex(({ id }) => id === step)
  return stepsBefore(kind).map((one, index) => ({
    ...one,
    state: index < at ? 'done' : index === at && step !== 'done' ? 'running' : 'pending'
  }))
}

export function stepsOf(status: DeployStatus, kind: DeployKind): KeptStep[] {
  const told = new Map(status.steps.map((step) => [step.id, step]))
  return stepsAt('done', kind).map((step) => {
    const { state, detail = '' } = told.get(step.id) ?? step
    return { ...step, state, detail }
  })
}

/** What was under way when the deploy failed has failed, for the reason that is told. */
export function stepsFailed(steps: readonly KeptStep[], reason: string): KeptStep[] {
  if (steps.some(({ state }) => state === 'failed')) return [...steps]
  const running = steps.findIndex(({ state }) => state === 'running')
  const at = running < 0 ? steps.findIndex(({ state }) => state === 'pending') : running
  return steps.map((step, index) => (index === at ? { ...step, state: 'failed', detail: reason } : step))
}

/** What is kept of a log: its end. */
const MAX_CHARACTERS = 65_536

const CONTROLS = /(?![\n\t])\p{Cc}/gu

/** Plain text that both databases can store: no colours, no progress bars drawn over, no secret. */
export function plainText(text: string): string {
  const lines = stripVTControlCharacters(text.toWellFormed()).split(/\r?\n/)
  // What a terminal shows of a bar that was drawn over and over.
  const shown = lines.map((line) => line.slice(line.lastIndexOf('\r') + 1))
  // The script writes no secret; this holds even where an installer should.
  return withoutSecrets(shown.join('\n').replaceAll(CONTROLS, ''))
}

/** The log with what came since; of a long one the last whole lines. */
export function longerLog(before: string, more: string): string {
  const whole = plainText(before + more)
  if (whole.length <= MAX_CHARACTERS) return whole
  const end = whole.slice(-MAX_CHARACTERS)
  return end.slice(end.indexOf('\n') + 1)
}

/** One line for a sentence: the first that says something, cut where it gets long. */
export function lineOf(bytes: Uint8Array): string {
  const lines = plainText(Buffer.from(bytes).toString('utf8')).split('\n')
  return (lines.find((line) => line.trim() !== '') ?? '').trim().slice(0, 300)
}

export const progressOf = (instance: InstanceRow, deploy: Tables['deploy'] | undefined): DeployProgress =>
  deploy
    ? deployOf(instance, deploy)
    : { status: instance.status, deployId: null, state: 'none', message: '', steps: [], log: '' }

export const deployOf = ({ status }: InstanceRow, deploy: Tables['deploy']): Deploy => ({
  status,
  deployId: deploy.id,
  state: stateOf(deploy),
  message: deploy.message,
  steps: readSteps(deploy.steps),
  log: deploy.log,
  businessName: deploy.businessName,
  kind: deploy.kind === 'configure' ? 'change' : deploy.isReinstall === 1 ? 'again' : 'first',
  startedAt: deploy.createdAt,
  finishedAt: deploy.finishedAt
})

const stateOf = ({ phase }: Tables['deploy']): DeployProgress['state'] =>
  phase === 'succeeded' || phase === 'failed' ? phase : 'running'
