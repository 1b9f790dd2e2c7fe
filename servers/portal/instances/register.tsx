// Registering a customer's server: first whose, then where it is.
import type { FC } from 'hono/jsx'
import { RegisterInstanceResult } from '../../../schemas/instance.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { registerInstanceOperation } from '../../../src/instances/operations.ts'
import { page } from '../answer.tsx'
import { chooseCustomer } from '../choose-customer.tsx'
import { type CustomerVisit, visitCustomer } from '../console-customers/customer-page.tsx'
import type { Form as Filled } from '../forms.ts'
import { ConsolePage } from '../frames.tsx'
import { Field } from '../ui/field.tsx'
import { Form, FormError, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { asked, done, errorAbove, run, submitted, type Tried, type Visit } from '../visit.ts'
import { INSTANCES, instancePath, REGISTER, registerPath } from './paths.ts'

export const chooseForWhom = (visit: Visit): Promise<Response> =>
  chooseCustomer(visit, {
    title: 'Register a server: for whom?',
    current: 'instances',
    action: REGISTER,
    hrefOf: registerPath,
    whenNone: 'A server belongs to a customer.'
  })

export async function showRegistration(visit: Visit): Promise<Response> {
  return answerRegistration(await visitCustomer(visit))
}

export async function registerServer(visit: Visit): Promise<Response> {
  const visited = await visitCustomer(visit)
  return submitted(visited, {
    async act(form) {
      const input = { customerId: visited.customer.id, ...placeIn(form) }
      const made = await run(visited, registerInstanceOperation, RegisterInstanceResult, input, form)
      return done(visited, instancePath(made.data.instanceId), made.message)
    },
    again: (tried) => answerRegistration(visited, tried)
  })
}

/** What was filled in; an empty field is left to its default. */
function placeIn(form: Filled): Record<string, unknown> {
  const port = form.text('port')
  const texts = ['host', 'username', 'name', 'hostKey', 'root'].flatMap((field) => {
    const text = form.text(field)
    return text === undefined && field !== 'host' ? [] : [[field, text ?? '']]
  })
  return { ...Object.fromEntries(texts), ...(port === undefined ? {} : { port: Number(port) }) }
}

function answerRegistration({ c, customer }: CustomerVisit, tried?: Tried): Promise<Response> {
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
        <RegistrationForm customerId={customer.id} tried={tried} />
      </Card>
    </ConsolePage>,
    tried ? tried.refusal.status : 200
  )
}

const RegistrationForm: FC<{ customerId: string; tried: Tried | undefined }> = ({ customerId, tried }) => (
  <Form action={registerPath(customerId)}>
    <FormError refusal={errorAbove(tried, ['host', 'port', 'username', 'name', 'hostKey', 'root'])} />
    <Field
      {...asked(tried, 'host', 'Host')}
      help="Name or IP address of the server, such as vps1.example.com."
      maxlength={253}
      autocomplete="off"
      required
    />
    <Field {...asked(tried, 'port', 'SSH port', '22')} type="number" min={1} max={65_535} required />
    <Field
      {...asked(tried, 'username', 'User', 'root')}
      help="Whom we sign in as. The agent runs as this user; Telegram needs root."
      maxlength={32}
      autocomplete="off"
      required
    />
    <Field
      {...asked(tried, 'name', 'Name')}
      help="What you call the server. Left empty, it is called by its host."
      maxlength={100}
      autocomplete="off"
    />
    <Field
      {...asked(tried, 'hostKey', 'Host key')}
      help="Its SHA-256 fingerprint, as ssh-keygen -lf prints it. Left empty, we take the one that the server shows now, and compare at every connection from then on."
      maxlength={50}
      autocomplete="off"
      mono
    />
    <Field
      {...asked(tried, 'root', 'Folder')}
      help="Only when several agents share one machine: an absolute path that everything of this one goes below."
      maxlength={200}
      autocomplete="off"
      mono
    />
    <Submit cancelHref={INSTANCES}>Register server</Submit>
  </Form>
)
