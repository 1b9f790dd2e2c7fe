import { deployInstance } from '../../../src/instances/deploy/operations.ts'
import { asked, errorAt, type FormState } from '../form-state.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Checkbox, Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { openInstance } from './instance-page.tsx'
import { ABOVE, deployPath, instancePath } from './words.tsx'

export const deployFormPage: Page = {
  show: showForm,
  forms: {
    async ''(context, form) {
      const instanceId = context.c.req.param('instanceId') ?? ''
      const input = {
        instanceId,
        businessName: form.text('businessName') ?? '',
        telegramBotToken: form.text('telegramBotToken'),
        telegramChatId: form.text('telegramChatId'),
        confirmReinstall: form.flag('confirmReinstall') || undefined
      }
      const { data } = await callOperation(context, deployInstance, input, form)
      return context.c.redirect(deployPath(instanceId, data.deployId), 303)
    }
  }
}

async function showForm(context: PageContext, state?: FormState): Promise<Response> {
  const { instance, customerName } = await openInstance(context)
  const { instanceId, name, agentName, status } = instance
  const here = instancePath(instanceId)
  return showPage(
    context,
    {
      title: 'Deploy the CLI agent',
      current: 'instances',
      breadcrumbs: [...ABOVE, { href: here, label: name }],
      state
    },
    <Card
      title={`On ${name}`}
      description={`Installs the agent on ${name} and connects it to the AI gateway and to ${customerName}’s memory. It takes a few minutes and goes on by itself.`}
    >
      <Form action={`${here}/deploy`}>
        <Field
          {...asked(state, 'businessName', 'Business name', agentName ?? customerName)}
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
        {status === 'cli-agent' ? (
          <Checkbox
            label="Install it again over the agent that runs there"
            name="confirmReinstall"
            checked={state?.values.confirmReinstall !== undefined}
            help="What it knows is backed up and kept, Telegram too. Nobody can chat with it until this is done."
            error={errorAt(state, 'confirmReinstall', 'This')}
          />
        ) : null}
        <Submit cancelHref={here}>Deploy agent</Submit>
      </Form>
    </Card>
  )
}
