// How the agent and its server are: asked only where somebody wants to know, since a silent server takes its time.
import type { FC } from 'hono/jsx'
import type { AgentUsage } from '../../../schemas/ai-gateway.ts'
import type { AgentHealth, Instance } from '../../../schemas/instance.ts'
import { ServiceError } from '../../../src/errors.ts'
import { getAgentHealth, getAgentLogs } from '../../../src/instances/care.ts'
import { testInstance } from '../../../src/instances/operations.ts'
import { formatMoney } from '../../../src/money.ts'
import { healthInWords } from '../../agent-health.ts'
import { callOperation, type PageContext } from '../page-kit.tsx'
import { DayChart } from '../ui/chart.tsx'
import { Log } from '../ui/copy.tsx'
import { ConfirmButton, Notice, PlainLink } from '../ui/form.tsx'
import { Card, DescriptionList } from '../ui/layout.tsx'
import { counted, decimal } from '../ui/values.tsx'
import { instancePath } from './words.tsx'

type Look = { health: AgentHealth; log: string } | { fault: string } | undefined

/** What the server says, where the page's address asks for it. */
export async function lookAsked(context: PageContext): Promise<Look> {
  if (context.c.req.query('look') === undefined) return undefined
  const { instanceId } = context.c.req.param()
  try {
    const [health, logs] = await Promise.all([
      callOperation(context, getAgentHealth, { instanceId }),
      callOperation(context, getAgentLogs, { instanceId }),
      // Notes that it was looked at.
      callOperation(context, testInstance, { instanceId })
    ])
    return { health: health.data, log: logs.data.log }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'instance_unreachable')
      return { fault: error.message }
    throw error
  }
}

export const CareCard: FC<{ instance: Instance; look: Look }> = ({
  instance: { instanceId, name },
  look
}) => {
  const here = instancePath(instanceId)
  const actions = (
    <>
      <PlainLink href={`${here}?look#care`}>{look ? 'Look again' : 'Look at it now'}</PlainLink>
      <ConfirmButton
        kind="plain"
        label="Restart agent"
        title={`Restart the agent on ${name}?`}
        text="What it is at work on ends without a reply. Where it has a service of its own, that starts anew."
        action={`${here}/restart`}
      />
    </>
  )
  return (
    <div id="care">
      <Card title="Health and log" description="As the server tells it itself." action={actions}>
        {look && 'fault' in look ? <Notice tone="bad">{look.fault}</Notice> : null}
        {look && 'health' in look ? (
          <>
            <DescriptionList
              items={Object.entries(healthInWords(look.health)).map(([term, value]) => ({ term, value }))}
            />
            <Log label="Log of the agent" text={look.log} />
          </>
        ) : null}
      </Card>
    </div>
  )
}

const UNSEEN = 'Agents call LiteLLM: its own records tell what they use.'

/** What the agent used of models in the last 30 days. */
export const UsageCard: FC<AgentUsage> = ({ isMetered, total, days }) => (
  <Card title="Use of models" description={isMetered ? 'The last 30 days, in UTC.' : UNSEEN}>
    <DescriptionList
      items={[
        { term: 'Calls', value: decimal(total.calls) },
        { term: 'Failed', value: decimal(total.failed) },
        { term: 'Tokens in', value: decimal(total.inputTokens) },
        { term: 'Tokens out', value: decimal(total.outputTokens) },
        ...(total.untold === 0 ? [] : [{ term: 'Calls without told tokens', value: decimal(total.untold) }]),
        { term: 'Cost', value: total.cost === null ? 'Not known' : formatMoney(total.cost, 'USD') }
      ]}
    />
    <DayChart
      title="Use of models in the last 30 days"
      unit="tokens a day"
      daily={days.map(({ day, calls, inputTokens, outputTokens }) => {
        const value = inputTokens + outputTokens
        return { date: day, value, text: `${counted(value, 'token')} in ${counted(calls, 'call')}` }
      })}
    />
  </Card>
)
