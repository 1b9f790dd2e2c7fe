// The form of §4C that puts the CLI agent on a server.
import type { FC } from 'hono/jsx'
import type { Instance } from '../../../schemas/instance.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { getCustomerOperation } from '../../../src/customers/operations.ts'
import { deployInstance } from '../../../src/instances/deploy/operations.ts'
import { getInstanceOperation } from '../../../src/instances/operations.ts'
import { page } from '../answer.tsx'
import { asked, errorAt, type FormState } from '../form-state.ts'
import type { Form as Filled } from '../forms.ts'
import { ConsolePage } from '../frames.tsx'
import { callOperation, type Page, type PageContext } from '../page-kit.tsx'
import { Checkbox, Field } from '../ui/field.tsx'
import { Form, FormError, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { deployFormPath, deployPath, INSTANCES, instancePath } from './paths.ts'

export const deployFormPage: Page = {
  show: answerForm,
  forms: {
    /** Begins the deploy and goes to where one sees it work. */
    async ''(context, form) {
      const instanceId = context.c.req.param('instanceId') ?? ''
      const { data } = await callOperation(context, deployInstance, { instanceId, ...filledIn(form) }, form)
      return context.c.redirect(deployPath(instanceId, data.deployId), 303)
    }
  }
}

async function instanceOf(context: PageContext): Promise<Instance> {
  const instanceId = context.c.req.param('instanceId') ?? ''
  return (await callOperation(context, getInstanceOperation, { instanceId })).data
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

async function answerForm(context: PageContext, state?: FormState): Promise<Response> {
  const { c } = context
  const instance = await instanceOf(context)
  const { customerId, instanceId, name } = instance
  const { data: customer } = await callOperation(context, getCustomerOperation, { customerId })
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
        <DeployForm instance={instance} businessName={nameOf(customer)} state={state} />
      </Card>
    </ConsolePage>,
    state?.refusal?.status ?? 200
  )
}

interface FormProps {
  instance: Instance
  /** What the agent is called unless somebody calls it otherwise. */
  businessName: string
  state: FormState | undefined
}

const DeployForm: FC<FormProps> = ({ instance, businessName, state }) => {
  const isThere = instance.status === 'cli-agent'
  const _fields = [
    'businessName',
    'telegramBotToken',
    'telegramChatId',
    ...(isThere ? ['confirmReinstall'] : [])
  ]
  return (
    <Form action={deployFormPath(instance.instanceId)}>
      <FormError refusal={state?.refusal} />
      <Field
        {...asked(state, 'businessName', 'Business name', instance.agentName ?? businessName)}
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
        error={errorAt(state, 'telegramBotToken', 'Telegram bot token')}
        maxlength={200}
        autocomplete="off"
        mono
      />
      <Field
        {...asked(state, 'telegramChatId', 'Telegram chat id')}
        help="Needed with a bot token: the agent answers there and nowhere else. A group’s begins with a minus."
        maxlength={20}
        autocomplete="off"
        mono
      />
      {isThere ? (
        <Checkbox
          label="Install it again over the agent that runs there"
          name="confirmReinstall"
          checked={state?.values.confirmReinstall !== undefined}
          help="What it knows is backed up and kept, Telegram too. Nobody can chat with it until this is done."
          error={errorAt(state, 'confirmReinstall', 'This')}
        />
      ) : null}
      <Submit cancelHref={instancePath(instance.instanceId)}>Deploy agent</Submit>
    </Form>
  )
}
