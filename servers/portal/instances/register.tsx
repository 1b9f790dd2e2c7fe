import { RegisterInstance } from '../../../schemas/instance.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { registerInstanceOperation } from '../../../src/instances/operations.ts'
import { chooseCustomer } from '../choose-customer.tsx'
import { type CustomerContext, ofCustomer } from '../console-customers/customer-page.tsx'
import { FieldControl, fieldsOf, typedInput } from '../field-control.tsx'
import type { FormState } from '../form-state.ts'
import { callOperation, type PageContext, showPage } from '../page-kit.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { ABOVE, INSTANCES, instancePath } from './words.tsx'

const FIELDS = fieldsOf(RegisterInstance.omit({ customerId: true }).shape)

const REGISTER = instancePath('register')

export const chooseForWhom = (context: PageContext): Promise<Response> =>
  chooseCustomer(context, {
    title: 'Register a server: for whom?',
    current: 'instances',
    action: REGISTER,
    hrefOf: (customerId) => instancePath('register', customerId),
    whenNone: 'A server belongs to a customer.'
  })

export const registerPage = ofCustomer({
  show: showRegistration,
  forms: {
    async ''(context, form) {
      const input = typedInput(form, FIELDS)
      const { data, message } = await callOperation(context, registerInstanceOperation, input, form)
      return { message, next: instancePath(data.instanceId) }
    }
  }
})

function showRegistration(context: CustomerContext, state?: FormState): Promise<Response> {
  return showPage(
    context,
    {
      title: `Register a server for ${nameOf(context.customer)}`,
      current: 'instances',
      breadcrumbs: [...ABOVE, { href: REGISTER, label: 'Register a server' }],
      state
    },
    <Card>
      <Form action={instancePath('register', context.customer.id)}>
        {FIELDS.map((field) => (
          <FieldControl field={field} state={state} />
        ))}
        <Submit cancelHref={INSTANCES}>Register server</Submit>
      </Form>
    </Card>
  )
}
