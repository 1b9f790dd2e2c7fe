import type { FC } from 'hono/jsx'

type StepState = 'waiting' | 'running' | 'done' | 'skipped' | 'warned' | 'failed'

const STATE_WORDS: Record<StepState, string> = {
  waiting: 'waiting',
  running: 'in progress',
  done: 'done',
  skipped: 'skipped',
  warned: 'done, with a warning',
  failed: 'failed'
}

/** Steps in their order, each with its state in words too. */
export const StepList: FC<{
  steps: readonly { label: string; state: StepState; detail?: string | undefined }[]
}> = ({ steps }) => (
  <ol class="steps">
    {steps.map(({ label, state, detail }) => (
      <li class={state} aria-current={state === 'running' ? 'step' : undefined}>
        <span class="step-label">
          {label} <span class="step-state">{STATE_WORDS[state]}</span>
        </span>
        {detail === undefined ? null : <span class="step-detail">{detail}</span>}
      </li>
    ))}
  </ol>
)
