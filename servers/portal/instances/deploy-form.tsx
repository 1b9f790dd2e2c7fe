// The form of §4C that puts the CLI agent on a server.
import type { FC } from 'hono/jsx'
import { CustomerResult } from '../../../schemas/customer.ts'
import { DeployStarted } from '../../../schemas/deploy.ts'
import { type Instance, InstanceResult } from '../../../schemas/instance.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { getCustomerOperation } from '../../../src/customers/operations.ts'
import { deployInstance } from '../../../src/instances/deploy/operations.ts'
import { getInstanceOperation } from '../../../src/instances/operations.ts'
import { page } from '../answer.tsx'
import type { Form as Filled } from '../forms.ts'
import { ConsolePage } from '../frames.tsx'
import { Checkbox, Field } from '../ui/field.tsx'
import { Form, FormError, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { asked, errorAbove, errorAt, run, submitted, type Tried, type Visit } from '../visit.ts'
import { deployFormPath, deployPath, INSTANCES, instancePath } from './paths.ts'

export async function showDeployForm(visit: Visit): Promise<Response> {
  return answerForm(visit, await instanceOf(visit))
}

/** Begins the deploy and goes to where one sees it work. */
export async function startDeploy(visit: Visit): Promise<Response> {
  const instance = await instanceOf(visit)
  const { instanceId } = instance
  return submitted(visit, {
    async act(form) {
      const input = { instanceId, ...filledIn(form) }
      const { data } = await run(visit, deployInstance, DeployStarted, input, form)
      return visit.c.redirect(deployPath(instanceId, data.deployId), 303)
    },
    again: (tried) => answerForm(visit, instance, tried)
  })
}

async function instanceOf(visit: Visit): Promise<Instance> {
  const instanceId = visit.c.req.param('instanceId') ?? ''
  return (await run(visit, getInstanceOperation, InstanceResult, { instanceId })).data
}

function filledIn(form: Filled): Record<string, unknown> {
  const telegram = ['telegramBotToken', 'telegramChatId'].flatMap((name) => {
    const value = form.text(name)
    return value === undefined ? [] : [[name, value]]
  })
  return {
    businessName: form.text('businessName') ?? '',
    ...Object.fromEntries(telegram),
    ...(form.flag('confirmReinstall') ? { confirmReinstall: true } : {})
  }
}

async function answerForm(visit: Visit, instance: Instance, tried?: Tried): Promise<Response> {
  const { c } = visit
  const { customerId, instanceId, name } = instance
  const { data: customer } = await run(visit, getCustomerOperation, CustomerResult, { customerId })
  return page(
    c,
    <ConsolePage
      c={c}
      title="Deploy the CLI agent"
      current="instances"
      breadcrumbs={[
        { href: INSTANCES, label: 'Servers' },
        { href: instancePath(instanceId), label: name }
      ]}
    >
      <Card
        title={`On ${name}`}
        description={`Installs the agent on ${name} and connects it to the AI gateway and to ${nameOf(customer)}’s memory. It takes a few minutes and goes on by itself.`}
      >
        <DeployForm instance={instance} businessName={nameOf(customer)} tried={tried} />
      </Card>
    </ConsolePage>,
    tried ? tried.refusal.status : 200
  )
}

interface FormProps {
  instance: Instance
  /** What the agent is called unless somebody calls it otherwise. */
  businessName: string
  tried: Tried | undefined
}

const DeployForm: FC<FormProps> = ({ instance, businessName, tried }) => {
  const isThere = instance.status === 'cli-agent'
  const fields = [
    'businessName',
    'telegramBotToken',
    'telegramChatId',
    ...(isThere ? ['confirmReinstall'] : [])
  ]
  return (
    <Form action={deployFormPath(instance.instanceId)}>
      <FormError refusal={errorAbove(tried, fields)} />
      <Field
        {...asked(tried, 'businessName', 'Business name', instance.agentName ?? businessName)}
        help="Whom the agent speaks for. The chat shows it as the agent’s name."
        maxlength={100}
        autocomplete="off"
        required
      />
      <Field
        label="Telegram bot token"
        name="telegramBotToken"
        type="password"
        help="From @BotFather, if the agent shall answer on Telegram too. It is kept on the server alone."
        error={errorAt(tried, 'telegramBotToken', 'Telegram bot token')}
        maxlength={200}
        autocomplete="off"
        mono
      />
      <Field
        {...asked(tried, 'telegramChatId', 'Telegram chat id')}
        help="Needed with a bot token: the agent answers there and nowhere else. A group’s begins with a minus."
        maxlength={20}
        autocomplete="off"
        mono
      />
      {isThere ? (
        <Checkbox
          label="Install it again over the agent that runs there"
          name="confirmReinstall"
          checked={tried?.values.confirmReinstall !== undefined}
          help="What it knows is backed up and kept, Telegram too. Nobody can chat with it until this is done."
          error={errorAt(tried, 'confirmReinstall', 'This')}
        />
      ) : null}
      <Submit cancelHref={instancePath(instance.instanceId)}>Deploy agent</Submit>
    </Form>
  )
}
