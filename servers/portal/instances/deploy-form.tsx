import { DeployInstance } from '../../../schemas/deploy.ts'
import { deployInstance } from '../../../src/instances/deploy/operations.ts'
import { FieldControl, fieldsOf, typedInput } from '../field-control.tsx'
import type { FormState } from '../form-state.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { openInstance } from './instance-page.tsx'
import { ABOVE, deployPath, instancePath } from './words.tsx'

const FIELDS = fieldsOf(DeployInstance.omit({ instanceId: true }).shape)

export const deployFormPage: Page = {
  show: showForm,
  forms: {
    async ''(context, form) {
      const instanceId = context.c.req.param('instanceId') ?? ''
      const input = { instanceId, ...typedInput(form, FIELDS) }
      const { data } = await callOperation(context, deployInstance, input, form)
      return context.c.redirect(deployPath(instanceId, data.deployId), 303)
    }
  }
}

async function showForm(context: PageContext, state?: FormState): Promise<Response> {
  const { instance, customerName } = await openInstance(context)
  const { instanceId, name, agentName, status } = instance
  const here = instancePath(instanceId)
  const saved: Record<string, unknown> = { businessName: agentName ?? customerName }
  const asked = FIELDS.filter((field) => field.name !== 'confirmReinstall' || status === 'cli-agent')
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
        {asked.map((field) => (
          <FieldControl field={field} saved={saved[field.name]} state={state} />
        ))}
        <Submit cancelHref={here}>Deploy agent</Submit>
      </Form>
    </Card>
  )
}
