// Deploying an agent on a server: the form, and how far a deploy is.
import type { Child, FC } from 'hono/jsx'
import { appOf, isDeployed } from '../../../schemas/app.ts'
import { ConfigureAgent, type Deploy, DeployInstance } from '../../../schemas/deploy.ts'
import { APPS } from '../../../src/catalog/apps.ts'
import { configureAgent } from '../../../src/instances/deploy/configure.ts'
import { deployInstance, getOneDeploy } from '../../../src/instances/deploy/operations.ts'
import { streamChanges } from '../events.ts'
import { FieldControls, type FormField, fieldsOf, typedInput } from '../field-control.tsx'
import type { FormState } from '../form-state.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Log } from '../ui/copy.tsx'
import { Form, Notice, PlainLink, Submit } from '../ui/form.tsx'
import { Card, DescriptionList, StepList } from '../ui/layout.tsx'
import { type State, StateBadge, Time } from '../ui/values.tsx'
import { openInstance } from './instance-page.tsx'
import { ABOVE, deployPath, instancePath } from './words.tsx'

type Opened = Awaited<ReturnType<typeof openInstance>>

interface AgentForm {
  /** Its path below the server's. */
  path: string
  title: string
  button: string
  operation: typeof deployInstance | typeof configureAgent
  fields: FormField[]
  isShown(name: string, instance: Opened['instance']): boolean
  describe(opened: Opened): Child
  saved(opened: Opened): Record<string, unknown>
}

/** A form whose work is a deploy, and whose next page follows that. */
function agentFormPage(form: AgentForm): Page {
  async function show(context: PageContext, state?: FormState): Promise<Response> {
    const opened = await openInstance(context)
    const { instanceId, name } = opened.instance
    const here = instancePath(instanceId)
    const shown = form.fields.filter((field) => form.isShown(field.name, opened.instance))
    const breadcrumbs = [...ABOVE, { href: here, label: name }]
    return showPage(
      context,
      { title: form.title, current: 'instances', breadcrumbs, state },
      <Card title={`On ${name}`} description={form.describe(opened)}>
        <Form action={`${here}/${form.path}`}>
          <FieldControls of={shown} saved={form.saved(opened)} choices={{ app: APP_CHOICES }} state={state} />
          <Submit cancelHref={here}>{form.button}</Submit>
        </Form>
      </Card>
    )
  }
  return {
    show,
    forms: {
      async ''(context, sent) {
        const { instanceId = '' } = context.c.req.param()
        // All of them, whatever the form shows by now: what is sent twice must be the same.
        const input = { instanceId, ...typedInput(sent, form.fields) }
        const { data } = await callOperation(context, form.operation, input, sent)
        return context.c.redirect(deployPath(instanceId, data.deployId), 303)
      }
    }
  }
}

const APP_CHOICES = Object.values(APPS).map(({ id, title, about }) => ({
  value: id,
  label: `${title}: ${about}`
}))

export const deployFormPage = agentFormPage({
  path: 'deploy',
  title: 'Deploy an agent',
  button: 'Deploy agent',
  operation: deployInstance,
  fields: fieldsOf(DeployInstance.omit({ instanceId: true }).shape),
  // A server keeps the app that it has.
  isShown(name, { status }) {
    if (name === 'app') return status === 'registered'
    if (name.startsWith('telegram')) return APPS[appOf(status)].hasHands
    return name !== 'confirmReinstall' || isDeployed(status)
  },
  describe: ({ instance, customerName }) => (
    <>
      Installs the agent on <bdi>{instance.name}</bdi> and connects it to the AI gateway and to{' '}
      <bdi>{customerName}</bdi>’s memory. It takes a few minutes and goes on by itself.
    </>
  ),
  saved: ({ instance, customerName }) => ({ businessName: instance.agentName ?? customerName })
})

export const changeFormPage = agentFormPage({
  path: 'change',
  title: 'Change the agent',
  button: 'Change agent',
  operation: configureAgent,
  fields: fieldsOf(ConfigureAgent.omit({ instanceId: true }).shape),
  isShown: (name, { status }) => name !== 'release' || APPS[appOf(status)].installCommand === undefined,
  describe: () =>
    'Tells the agent what is new, and makes it new keys; its conversation goes on. It takes some seconds, or some minutes with another release.',
  // A release that is typed again would install the program again.
  saved: ({ instance: { agentName, settings } }) => ({
    businessName: agentName,
    instructions: settings.instructions ?? '',
    model: settings.model ?? 'auto'
  })
})

export async function showDeploy(context: PageContext): Promise<Response> {
  const deploy = await read(context)
  const { instance } = await openInstance(context)
  const { instanceId, name } = instance
  const breadcrumbs = [...ABOVE, { href: instancePath(instanceId), label: name }]
  return showPage(
    context,
    {
      title: `${deploy.kind === 'change' ? 'Change' : 'Deploy'} on ${name}`,
      current: 'instances',
      breadcrumbs
    },
    <DeployProgress instanceId={instanceId} deploy={deploy} />
  )
}

export async function streamDeploy(context: PageContext): Promise<Response> {
  const { c } = context
  const { instanceId = '' } = c.req.param()
  // Asked for before it streams: what isn't there is refused as usual.
  let first: Deploy | undefined = await read(context)
  return streamChanges(c, instanceId, async () => {
    const deploy = first ?? (await read(context))
    first = undefined
    const html = String(await (<DeployProgress instanceId={instanceId} deploy={deploy} />))
    return { data: JSON.stringify({ html }), isOver: deploy.state !== 'running' }
  })
}

const read = async (context: PageContext): Promise<Deploy> =>
  (await callOperation(context, getOneDeploy, context.c.req.param())).data

interface ProgressProps {
  instanceId: string
  deploy: Deploy
}

/**
 * The parts that change are named: the page's script takes them one by one from what the server sends, so that what
 * somebody reads or has scrolled to stays where it is.
 */
const DeployProgress: FC<ProgressProps> = ({ instanceId, deploy }) => (
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
            { term: 'State', value: <StateBadge {...STATES[deploy.state]} /> },
            { term: 'Business name', value: deploy.businessName },
            { term: 'App', value: APPS[appOf(deploy.status)].title },
            { term: 'Kind', value: KINDS[deploy.kind] },
            { term: 'Begun', value: <Time iso={deploy.startedAt} /> },
            { term: 'Ended', value: <Time iso={deploy.finishedAt} /> }
          ]}
        />
      </div>
    </Card>
    <Card title="Log" description="The last of what the script wrote on the server.">
      <Log label="Log of the deploy" text={deploy.log} part="log" />
    </Card>
  </div>
)

const KINDS: Readonly<Record<Deploy['kind'], string>> = {
  first: 'First install',
  again: 'Installed again',
  change: 'Changed, with new keys'
}

const STATES: Readonly<Record<Deploy['state'], State>> = {
  none: { tone: 'neutral', label: 'None' },
  running: { tone: 'warn', label: 'Under way' },
  succeeded: { tone: 'good', label: 'Done' },
  failed: { tone: 'bad', label: 'Failed' }
}

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
          <PlainLink href={deployPath(instanceId, deployId)}>Look again</PlainLink>
        </span>
      </div>
    )
  }
  return state === 'failed' ? (
    <Notice tone="bad">
      <div>
        <p>{message}</p>
        <p>
          <a href={instancePath(instanceId, 'deploy')}>Deploy again</a>
        </p>
      </div>
    </Notice>
  ) : (
    <Notice tone="good">
      <p>
        <bdi>{businessName}</bdi>’s agent is ready. The customer chats with it in your portal.{' '}
        <a href={instancePath(instanceId)}>Back to the server</a>
      </p>
    </Notice>
  )
}
