import type { FC } from 'hono/jsx'
import { appOf, isDeployed } from '../../../schemas/app.ts'
import type { DeployProgress } from '../../../schemas/deploy.ts'
import { type Instance, ON_SERVER } from '../../../schemas/instance.ts'
import { getAgentUsage } from '../../../src/ai-gateway/operations.ts'
import { APPS } from '../../../src/catalog/apps.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { getCustomerOperation } from '../../../src/customers/operations.ts'
import { restartAgent } from '../../../src/instances/care.ts'
import { getDeployStatus } from '../../../src/instances/deploy/operations.ts'
import { getInstanceOperation, removeInstance, testInstance } from '../../../src/instances/operations.ts'
import { rotateInstanceKey } from '../../../src/instances/rotate-key.ts'
import { customerPath } from '../console-customers/words.tsx'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { FactsCard } from '../ui/cards.tsx'
import { Log, Snippet } from '../ui/copy.tsx'
import { Select } from '../ui/field.tsx'
import { ActButton, ConfirmButton, LinkButton, Notice, PlainLink } from '../ui/form.tsx'
import { Card, DescriptionList, Prose } from '../ui/layout.tsx'
import { ShortId, Time } from '../ui/values.tsx'
import { CareCard, lookAsked, UsageCard } from './agent-care.tsx'
import { ABOVE, deployPath, INSTANCES, InstanceState, instancePath, placeOf, standingOf } from './words.tsx'

/** @throws ServiceError `instance_not_found` */
export async function openInstance(context: PageContext) {
  const instanceId = context.c.req.param('instanceId')
  const { data: instance } = await callOperation(context, getInstanceOperation, { instanceId })
  const { customerId } = instance
  const { data: customer } = await callOperation(context, getCustomerOperation, { customerId })
  return { instance, customerId, customerName: nameOf(customer) }
}

type Opened = Awaited<ReturnType<typeof openInstance>>

export const instancePage: Page = {
  async show(context) {
    const look = await lookAsked(context)
    const opened = await openInstance(context)
    const { instanceId, name, status } = opened.instance
    const { data: progress } = await callOperation(context, getDeployStatus, { instanceId })
    const action = <ActButton action={instancePath(instanceId, 'test')}>Test the connection</ActButton>
    // We have to be let in before anything can be deployed.
    const cards = [<AccessCard {...opened.instance} />, <DeployCard {...opened} progress={progress} />]
    if (status !== 'registered') {
      const { data: usage } = await callOperation(context, getAgentUsage, { instanceId })
      cards.splice(1, 0, <UsageCard {...usage} />, <CareCard {...opened} look={look} />)
    }
    return showPage(
      context,
      { title: name, current: 'instances', breadcrumbs: ABOVE, action },
      <>
        <ServerCard {...opened} />
        {status === 'registered' ? cards : cards.toReversed()}
        <RemovalCard {...opened} />
      </>
    )
  },
  buttons: {
    /** Tries the server. Without the form's key: whoever presses again wants to know anew. */
    async test(context) {
      const { reachable, message } = await callOperation(context, testInstance, context.c.req.param())
      return { message, kind: reachable ? 'good' : 'bad' }
    },
    restart: (context, form) => callOperation(context, restartAgent, context.c.req.param(), form),
    'rotate-key': (context, form) => callOperation(context, rotateInstanceKey, context.c.req.param(), form),
    async remove(context, form) {
      const input = { ...context.c.req.param(), onServer: form.text('onServer') }
      const { message } = await callOperation(context, removeInstance, input, form)
      return { message, next: INSTANCES }
    }
  }
}

const ServerCard: FC<Opened> = ({ instance, customerId, customerName }) => (
  <FactsCard
    title="Server"
    items={[
      { term: 'State', value: <InstanceState {...instance} /> },
      { term: 'Customer', value: <a href={customerPath(customerId)}>{customerName}</a> },
      { term: 'Host', value: <code>{placeOf(instance)}</code> },
      { term: 'User', value: <code>{instance.username}</code> },
      ...(instance.root === '' ? [] : [{ term: 'Folder', value: <code>{instance.root}</code> }]),
      ...(instance.jump === null ? [] : [{ term: 'Through', value: <code>{instance.jump}</code> }]),
      { term: 'Host key', value: <code>{instance.hostKey}</code> },
      { term: 'Server id', value: <ShortId id={instance.instanceId} /> },
      { term: 'Registered', value: <Time iso={instance.createdAt} /> }
    ]}
  />
)

const AccessCard: FC<Instance> = ({ instanceId, publicKey, username, name, status, jump }) => {
  // We run commands and put files there; forwarding and terminals stay closed to whoever gets hold of the key.
  const line = `restrict ${publicKey}`
  return (
    <Card
      title="Let us in"
      description={`Run this on the server as ${username}. It adds our public key for this server; only the service has the private one.${jump === null ? '' : ` On the jump host ${jump} put it, too, with restrict,port-forwarding before it.`}`}
      action={
        status === 'registered' ? undefined : (
          <ConfirmButton
            kind="plain"
            label="Rotate key"
            title={`Make a new key for ${name}?`}
            text="The new one is let in beside the present one and tried; then the present one is taken out there."
            action={instancePath(instanceId, 'rotate-key')}
          />
        )
      }
    >
      <Snippet
        label="On the server"
        code={`mkdir -p -m 700 ~/.ssh && printf '\\n%s\\n' '${line}' >> ~/.ssh/authorized_keys && chmod 600 ~/.ssh/authorized_keys`}
      />
      <Snippet label="The line alone, for ~/.ssh/authorized_keys" code={line} />
    </Card>
  )
}

const RemovalCard: FC<Opened> = ({ instance: { instanceId, name, status }, customerName }) => (
  <Card
    title="Remove"
    sendsTo={instancePath(instanceId, 'remove')}
    tone="danger"
    action={
      <ConfirmButton
        label="Remove server"
        title={`Remove ${name}?`}
        text={
          <>
            <p>
              <bdi>{customerName}</bdi> can’t chat with its agent any more, the chat history is deleted, and
              the agent’s keys stop working.
            </p>
            {status === 'registered' ? null : (
              <Select
                label="On the server itself"
                name="onServer"
                value="leave"
                options={ON_SERVER.map((value) => ({ value, label: LEFT[value] }))}
                help="The other two need the server to be reachable, and remove our key from it."
              />
            )}
          </>
        }
        action={instancePath(instanceId, 'remove')}
      />
    }
  >
    <Prose>
      <p>
        Forgets the server here and ends its agent’s keys. What is installed on the server stays there unless
        you say otherwise.
      </p>
    </Prose>
  </Card>
)

const LEFT: Record<(typeof ON_SERVER)[number], string> = {
  leave: 'Nothing is changed',
  keep: 'Stop the agent and remove its secrets; keep what it knows',
  wipe: 'Remove the agent’s home with all that it knows'
}

const DeployCard: FC<{ instance: Instance; progress: DeployProgress }> = ({
  instance: { instanceId, status, agentName, model, lastTrouble },
  progress: { deployId, state, message }
}) => {
  const { description, watch = 'See the last deploy', deploy } = DEPLOY_TEXTS[standingOf(status)]
  const kind = isDeployed(status) ? 'plain' : 'primary'
  const actions = (
    <>
      {deployId === null ? null : <PlainLink href={deployPath(instanceId, deployId)}>{watch}</PlainLink>}
      {agentName === null || deploy === undefined ? null : (
        <PlainLink href={instancePath(instanceId, 'change')}>Change agent</PlainLink>
      )}
      {deploy === undefined ? null : (
        <LinkButton kind={kind} href={instancePath(instanceId, 'deploy')}>
          {deploy}
        </LinkButton>
      )}
    </>
  )
  return (
    <Card title="Agent" description={description} action={actions}>
      {state === 'failed' ? <Notice tone="bad">{message}</Notice> : null}
      {lastTrouble ? (
        <Notice tone="bad">
          <p>
            The last message wasn’t answered, <Time iso={lastTrouble.at} />. {lastTrouble.meaning}
          </p>
          {lastTrouble.words === '' ? null : <Log label="What the agent said" text={lastTrouble.words} />}
        </Notice>
      ) : null}
      {agentName === null ? null : (
        <DescriptionList
          items={[
            { term: 'Speaks for', value: agentName },
            { term: 'App', value: APPS[appOf(status)].title },
            { term: 'Model', value: model === null ? null : <code>{model}</code> }
          ]}
        />
      )}
    </Card>
  )
}

const DEPLOY_TEXTS: Record<
  ReturnType<typeof standingOf>,
  { description: string; watch?: string; deploy?: string }
> = {
  registered: {
    description: 'An agent that works on this server and that the customer chats with in your portal.',
    deploy: 'Deploy agent'
  },
  deploying: {
    description: 'It is being installed. Nobody can chat with it until that is done.',
    watch: 'Watch the deploy'
  },
  deployed: {
    description: 'The customer chats with it in your portal.',
    deploy: 'Install again'
  },
  failed: { description: 'The last deploy did not get through.', deploy: 'Deploy again' }
}
