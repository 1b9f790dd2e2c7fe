// The steps of a deploy as they are shown: what the service does first, then the script's own.
import { z } from 'zod'
import { DeployStep } from '../../../schemas/deploy.ts'
import { DEPLOY_STEPS, type DeployStatus } from '../../catalog/cli-agent/deploy.ts'

const OWN_STEPS = [
  { id: 'connect', title: 'Connect to the server' },
  { id: 'key', title: 'Make the agent’s AI key' },
  { id: 'upload', title: 'Upload script and settings' }
] as const

/** A step that the service itself takes, before the script on the server takes over. */
export type OwnStep = (typeof OWN_STEPS)[number]['id']

/** A step as the row keeps it. */
const KeptStep = DeployStep.extend({ id: z.string() })
export type KeptStep = z.output<typeof KeptStep>

const Steps = z.array(KeptStep)

export const readSteps = (json: string): KeptStep[] => Steps.parse(JSON.parse(json))

/** All of them, none begun. */
export const stepsBefore = (): KeptStep[] =>
  [...OWN_STEPS, ...DEPLOY_STEPS].map(({ id, title }) => ({ id, title, state: 'pending', detail: '' }))

/** The service is at `step`, or through with its own. */
export function stepsAt(step: OwnStep | 'done'): KeptStep[] {
  const at = step === 'done' ? OWN_STEPS.length : OWN_STEPS.findIndex(({ id }) => id === step)
  return stepsBefore().map((one, index) => ({
    ...one,
    state: index < at ? 'done' : index === at && step !== 'done' ? 'running' : 'pending'
  }))
}

/** What the script says of its own steps, beside the service's. */
export function stepsOf(status: DeployStatus): KeptStep[] {
  const told = new Map(status.steps.map((step) => [step.id, step]))
  return stepsAt('done').map((step) => {
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
