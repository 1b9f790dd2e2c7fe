// Registering a customer's server: first whose, then where it is.
import type { FC } from 'hono/jsx'
import { nameOf } from '../../../src/customers/name.ts'
import { registerInstanceOperation } from '../../../src/instances/operations.ts'
import { page } from '../answer.tsx'
import { chooseCustomer } from '../choose-customer.tsx'
import { type CustomerContext, ofCustomer } from '../console-customers/customer-page.tsx'
import { asked, type FormState } from '../form-state.ts'
import type { Form as Filled } from '../forms.ts'
import { ConsolePage } from '../frames.tsx'
import { callOperation, type PageContext } from '../page-kit.tsx'
import { Field } from '../ui/field.tsx'
import { Form, FormError, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { INSTANCES, instancePath, REGISTER, registerPath } from './paths.ts'

export const chooseForWhom = (context: PageContext): Promise<Response> =>
  chooseCustomer(context, {
    title: 'Register a server: for whom?',
    current: 'instances',
    action: REGISTER,
    hrefOf: registerPath,
    whenNone: 'A server belongs to a customer.'
  })

export const registerPage = ofCustomer({
  show: answerRegistration,
  forms: {
    async ''(context, form) {
      const { data, message } = await callOperation(context, registerInstanceOperation, placeIn(form), form)
      return { message, next: instancePath(data.instanceId) }
    }
  }
})

/** What was filled in; an empty field is left to its default. */
function placeIn(form: Filled): Record<string, unknown> {
  const port = form.text('port')
  const texts = ['host', 'username', 'name', 'hostKey', 'root'].flatMap((field) => {
    const text = form.text(field)
    return text === undefined && field !== 'host' ? [] : [[field, text ?? '']]
  })
  return { ...Object.fromEntries(texts), ...(port === undefined ? {} : { port: Number(port) }) }
}

function answerRegistration({ c, customer }: CustomerContext, state?: FormState): Promise<Response> {
  return page(
    c,
    <ConsolePage
      c={c}
      title={`Register a server for ${nameOf(customer)}`}
      current="instances"
      breadcrumbs={[
        { href: INSTANCES, label: 'Servers' },
        { href: REGISTER, label: 'Register a server' }
      ]}
    >
      <Card>
        <RegistrationForm customerId={customer.id} state={state} />
      </Card>
    </ConsolePage>,
    state?.refusal?.status ?? 200
  )
}

const RegistrationForm: FC<{ customerId: string; state: FormState | undefined }> = ({
  customerId,
  state
}) => (
  <Form action={registerPath(customerId)}>
    <FormError refusal={state?.refusal} />
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
)
