// The CLI agent on a server's page: what runs there, and the way to deploy it.
import type { Child, FC } from 'hono/jsx'
import type { DeployProgress } from '../../../schemas/deploy.ts'
import type { Instance } from '../../../schemas/instance.ts'
import { LinkButton } from '../ui/button.tsx'
import { Card, DescriptionList } from '../ui/card.tsx'
import { Icon } from '../ui/icon.tsx'
import { deployFormPath, deployPath } from './paths.ts'

interface DeployCardProps {
  instance: Instance
  /** The newest deploy. */
  progress: DeployProgress
}

export const DeployCard: FC<DeployCardProps> = ({ instance, progress }) => {
  const { status, instanceId } = instance
  const { deployId } = progress
  const actions: Child = (
    <>
      {deployId === null ? null : (
        <LinkButton kind="plain" href={deployPath(instanceId, deployId)}>
          {status === 'deploying:cli-agent' ? 'Watch the deploy' : 'See the last deploy'}
        </LinkButton>
      )}
      {status === 'deploying:cli-agent' ? null : (
        <LinkButton kind={status === 'cli-agent' ? 'plain' : 'primary'} href={deployFormPath(instanceId)}>
          {LABELS[status]}
        </LinkButton>
      )}
    </>
  )
  return (
    <Card title="CLI agent" description={describe(status)} action={actions}>
      {progress.state === 'failed' ? <Failure message={progress.message} /> : null}
      {instance.agentName === null ? null : (
        <DescriptionList
          items={[
            { term: 'Speaks for', value: instance.agentName },
            { term: 'Model', value: instance.model === null ? null : <code>{instance.model}</code> }
          ]}
        />
      )}
    </Card>
  )
}

const LABELS = {
  registered: 'Deploy agent',
  'cli-agent': 'Install again',
  'failed:cli-agent': 'Deploy again'
} as const

const describe = (status: Instance['status']): string => DESCRIPTIONS[status]

const DESCRIPTIONS: Readonly<Record<Instance['status'], string>> = {
  registered: 'An agent that works on this server and that the customer chats with in your portal.',
  'deploying:cli-agent': 'It is being installed. Nobody can chat with it until that is done.',
  'cli-agent': 'It is ready; the customer chats with it in your portal.',
  'failed:cli-agent': 'The last deploy did not get through.'
}

const Failure: FC<{ message: string }> = ({ message }) => (
  <div class="notice bad">
    <Icon name="alert" />
    <p>{message}</p>
  </div>
)
