import { nameOf } from '../../../src/customers/name.ts'
import { registerInstanceOperation } from '../../../src/instances/operations.ts'
import { chooseCustomer } from '../choose-customer.tsx'
import { type CustomerContext, ofCustomer } from '../console-customers/customer-page.tsx'
import { asked, type FormState } from '../form-state.ts'
import { callOperation, type PageContext, showPage } from '../page-kit.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { ABOVE, INSTANCES, instancePath } from './words.tsx'

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
    /** An empty field is left to its default. */
    async ''(context, form) {
      const port = form.text('port')
      const input = {
        host: form.text('host') ?? '',
        port: port === undefined ? undefined : Number(port),
        username: form.text('username'),
        name: form.text('name'),
        hostKey: form.text('hostKey'),
        root: form.text('root')
      }
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
        <Field
          {...asked(state, 'host', 'Host')}
          help="Name or IP address of the server, such as vps1.example.com."
          maxlength={253}
          autocomplete="off"
          required
        />
        <Field {...asked(state, 'port', 'SSH port', '22')} type="number" min={1} max={65_535} required />
        <Field
          {...asked(state, 'username', 'User', 'root')}
          help="Whom we sign in as. The agent runs as this user; Telegram needs root."
          maxlength={32}
          autocomplete="off"
          required
        />
        <Field
          {...asked(state, 'name', 'Name')}
          help="What you call the server. Left empty, it is called by its host."
          maxlength={100}
          autocomplete="off"
        />
        <Field
          {...asked(state, 'hostKey', 'Host key')}
          help="Its SHA-256 fingerprint, as ssh-keygen -lf prints it. Left empty, we take the one that the server shows now, and compare at every connection from then on."
          maxlength={50}
          autocomplete="off"
          mono
        />
        <Field
          {...asked(state, 'root', 'Folder')}
          help="Only when several agents share one machine: an absolute path that everything of this one goes below."
          maxlength={200}
          autocomplete="off"
          mono
        />
        <Submit cancelHref={INSTANCES}>Register server</Submit>
      </Form>
    </Card>
  )
}
