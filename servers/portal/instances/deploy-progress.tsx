// How far a deploy is: the part of its page that goes on living.
import type { FC } from 'hono/jsx'
import type { Deploy } from '../../../schemas/deploy.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card, DescriptionList } from '../ui/card.tsx'
import { Icon } from '../ui/icon.tsx'
import { StepList } from '../ui/steps.tsx'
import { Time } from '../ui/time.tsx'
import { deployFormPath, deployPath, instancePath } from './paths.ts'

interface ProgressProps {
  instanceId: string
  deploy: Deploy
}

/**
 * The parts that change are named: the page's script takes them one by one from what the server sends, so that what
 * somebody reads or has scrolled to stays where it is.
 */
export const DeployProgress: FC<ProgressProps> = ({ instanceId, deploy }) => (
  <div
    class="stack"
    id="deploy"
    data-live={deploy.state === 'running' ? deployPath(instanceId, deploy.deployId, 'events') : undefined}
  >
    <p class="sr" role="status" data-part="said">
      {said(deploy)}
    </p>
    <div data-part="outcome">
      <Outcome instanceId={instanceId} deploy={deploy} />
    </div>
    <Card title="Steps">
      <div data-part="steps">
        <StepList
          steps={deploy.steps.map(({ title, state, detail }) => ({
            label: title,
            state: state === 'pending' ? 'waiting' : state,
            // Why it failed is said above.
            detail: detail === '' || state === 'failed' ? undefined : detail
          }))}
        />
      </div>
    </Card>
    <Card title="About this deploy">
      <div data-part="facts">
        <DescriptionList
          items={[
            { term: 'State', value: <DeployState state={deploy.state} /> },
            { term: 'Business name', value: deploy.businessName },
            { term: 'Kind', value: deploy.isReinstall ? 'Installed again' : 'First install' },
            { term: 'Begun', value: <Time iso={deploy.startedAt} /> },
            { term: 'Ended', value: deploy.finishedAt === null ? null : <Time iso={deploy.finishedAt} /> }
          ]}
        />
      </div>
    </Card>
    <Card title="Log" description="The last of what the script wrote on the server.">
      <figure class="snippet log">
        <section tabindex={0} aria-label="Log of the deploy" data-part="log">
          <pre>
            <code>{deploy.log === '' ? 'Nothing yet.' : deploy.log}</code>
          </pre>
        </section>
      </figure>
    </Card>
  </div>
)

const STATES: Readonly<Record<Deploy['state'], { tone: Tone; label: string }>> = {
  none: { tone: 'neutral', label: 'None' },
  running: { tone: 'warn', label: 'Under way' },
  succeeded: { tone: 'good', label: 'Done' },
  failed: { tone: 'bad', label: 'Failed' }
}

export const DeployState: FC<{ state: Deploy['state'] }> = ({ state }) => (
  <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
)

/** One sentence, for who listens instead of looking. */
function said({ state, steps, businessName }: Deploy): string {
  if (state === 'succeeded') return `${businessName}’s agent is ready.`
  if (state === 'failed') return 'The deploy failed.'
  const at = steps.findIndex((step) => step.state === 'running')
  return at < 0 ? 'The deploy is under way.' : `Step ${at + 1} of ${steps.length}: ${steps[at]?.title}.`
}

const Outcome: FC<ProgressProps> = ({ instanceId, deploy: { deployId, state, message, businessName } }) => {
  if (state === 'running') {
    return (
      <div class="row">
        <p class="help">
          {message === '' ? 'It goes on by itself, with this page open or not.' : `Waiting. ${message}`}
        </p>
        {/* Hidden by the stylesheet where scripts run and the page looks again by itself. */}
        <span class="when-not-live">
          <LinkButton kind="plain" href={deployPath(instanceId, deployId)}>
            Look again
          </LinkButton>
        </span>
      </div>
    )
  }
  if (state === 'failed') {
    return (
      <div class="notice bad">
        <Icon name="alert" />
        <div>
          <p>{message}</p>
          <p>
            <a href={deployFormPath(instanceId)}>Deploy again</a>
          </p>
        </div>
      </div>
    )
  }
  return (
    <div class="notice good">
      <Icon name="check" />
      <p>
        {businessName}’s agent is ready. The customer chats with it in your portal.{' '}
        <a href={instancePath(instanceId)}>Back to the server</a>
      </p>
    </div>
  )
}
