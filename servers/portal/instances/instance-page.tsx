// One server: where it is, how to let us in, whether that works, and what runs there.
import type { Child, FC } from 'hono/jsx'
import type { z } from 'zod'
import type { Customer } from '../../../schemas/customer.ts'
import type { DeployProgress } from '../../../schemas/deploy.ts'
import type { Instance } from '../../../schemas/instance.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { getCustomerOperation } from '../../../src/customers/operations.ts'
import { getDeployStatus } from '../../../src/instances/deploy/operations.ts'
import { getInstanceOperation, removeInstance, testInstance } from '../../../src/instances/operations.ts'
import { page } from '../answer.tsx'
import { customerPath } from '../console-customers/paths.ts'
import { ConsolePage } from '../frames.tsx'
import { callOperation, type Page, type PageContext } from '../page-kit.tsx'
import { Snippet } from '../ui/copy.tsx'
import { Button, ConfirmButton, Form, LinkButton } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { Card, DescriptionList, Prose } from '../ui/layout.tsx'
import { ShortId, Time } from '../ui/values.tsx'
import { deployFormPath, deployPath, INSTANCES, instancePath } from './paths.ts'
import { InstanceState, placeOf } from './words.tsx'

const idOf = ({ c }: PageContext): string => c.req.param('instanceId') ?? ''

async function showInstance(context: PageContext): Promise<Response> {
  const { c } = context
  const { data: instance } = await callOperation(context, getInstanceOperation, {
    instanceId: idOf(context)
  })
  const { customerId } = instance
  const { data: customer } = await callOperation(context, getCustomerOperation, { customerId })
  const { data: progress } = await callOperation(context, getDeployStatus, {
    instanceId: instance.instanceId
  })
  // Before anything can be deployed we have to be let in.
  const isNew = instance.status === 'registered'
  return page(
    c,
    <ConsolePage
      c={c}
      title={instance.name}
      current="instances"
      breadcrumbs={[{ href: INSTANCES, label: 'Servers' }]}
      action={<TestButton instanceId={instance.instanceId} />}
    >
      <ServerCard instance={instance} customer={customer} />
      {isNew ? <AccessCard instance={instance} /> : null}
      <DeployCard instance={instance} progress={progress} />
      {isNew ? null : <AccessCard instance={instance} />}
      <RemovalCard instance={instance} customer={customer} />
    </ConsolePage>
  )
}

export const instancePage: Page = {
  show: showInstance,
  buttons: {
    /** Tries the server. Without the form's key: whoever presses again wants to know anew. */
    async test(context) {
      const { reachable, message } = await callOperation(context, testInstance, { instanceId: idOf(context) })
      return { message, kind: reachable ? 'good' : 'bad' }
    },
    async remove(context, form) {
      const input = { instanceId: idOf(context) }
      const { message } = await callOperation(context, removeInstance, input, form)
      return { message, next: INSTANCES }
    }
  }
}

const TestButton: FC<{ instanceId: string }> = ({ instanceId }) => (
  <Form action={instancePath(instanceId, 'test')}>
    <Button kind="plain">Test the connection</Button>
  </Form>
)

interface CardProps {
  instance: Instance
  customer: z.output<typeof Customer>
}

const ServerCard: FC<CardProps> = ({ instance, customer }) => (
  <Card title="Server">
    <DescriptionList
      items={[
        { term: 'State', value: <InstanceState status={instance.status} /> },
        { term: 'Customer', value: <a href={customerPath(customer.id)}>{nameOf(customer)}</a> },
        { term: 'Host', value: <code>{placeOf(instance)}</code> },
        { term: 'User', value: <code>{instance.username}</code> },
        ...(instance.root === '' ? [] : [{ term: 'Folder', value: <code>{instance.root}</code> }]),
        { term: 'Host key', value: <code>{instance.hostKey}</code> },
        { term: 'Server id', value: <ShortId id={instance.instanceId} /> },
        { term: 'Registered', value: <Time iso={instance.createdAt} /> }
      ]}
    />
  </Card>
)

const AccessCard: FC<Pick<CardProps, 'instance'>> = ({ instance: { publicKey, username } }) => (
  <Card
    title="Let us in"
    description={`Run this on the server as ${username}. It adds our public key for this server; only the service has the private one.`}
  >
    <Snippet
      label="On the server"
      code={`mkdir -p -m 700 ~/.ssh && printf '\\n%s\\n' '${authorizedLine(publicKey)}' >> ~/.ssh/authorized_keys && chmod 600 ~/.ssh/authorized_keys`}
    />
    <Snippet label="The line alone, for ~/.ssh/authorized_keys" code={authorizedLine(publicKey)} />
  </Card>
)

/** We run commands and put files there; forwarding and terminals stay closed to whoever gets hold of the key. */
const authorizedLine = (publicKey: string): string => `restrict ${publicKey}`

const RemovalCard: FC<CardProps> = ({ instance: { instanceId, name }, customer }) => (
  <Card
    title="Remove"
    tone="danger"
    action={
      <ConfirmButton
        label="Remove server"
        title={`Remove ${name}?`}
        text={
          <p>
            {nameOf(customer)} can’t chat with its agent any more, the chat history is deleted, and the
            agent’s keys stop working. Nothing on the server itself is changed.
          </p>
        }
        action={instancePath(instanceId, 'remove')}
        confirmLabel="Remove server"
      />
    }
  >
    <Prose>
      <p>
        Forgets the server here and ends its agent’s keys. What is installed on the server stays there until
        you remove it.
      </p>
    </Prose>
  </Card>
)

// The CLI agent on a server's page: what runs there, and the way to deploy it.
interface DeployCardProps {
  instance: Instance
  /** The newest deploy. */
  progress: DeployProgress
}

const DeployCard: FC<DeployCardProps> = ({ instance, progress }) => {
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
