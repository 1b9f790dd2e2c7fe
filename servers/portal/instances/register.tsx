// Registering a customer's server: first whose, then where it is.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { type Customer, CustomerPage, CustomerResult } from '../../../schemas/customer.ts'
import { RegisterInstanceResult } from '../../../schemas/instance.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { getCustomerOperation, listCustomersOperation } from '../../../src/customers/operations.ts'
import { registerInstanceOperation } from '../../../src/instances/operations.ts'
import { page } from '../answer.tsx'
import { ChooseCustomer, customersAsked } from '../choose-customer.tsx'
import {
  errorAbove,
  errorAt,
  refusalFor,
  run,
  type Tried,
  typed,
  type Visit
} from '../console-customers/console.ts'
import { flash } from '../flash.ts'
import { type Form as Filled, readForm } from '../forms.ts'
import { consoleFrame } from '../frames.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Field } from '../ui/field.tsx'
import { Form, FormActions, FormError } from '../ui/form.tsx'
import { ConsoleFrame } from '../ui/frame.tsx'
import { INSTANCES, instancePath, REGISTER, registerPath } from './paths.ts'

export async function chooseCustomer(visit: Visit): Promise<Response> {
  const { c } = visit
  const found = await run(visit, listCustomersOperation, CustomerPage, { ...customersAsked(c) })
  return page(
    c,
    <ChooseCustomer
      c={c}
      title="Register a server: for whom?"
      current="instances"
      action={REGISTER}
      hrefOf={registerPath}
      found={found}
      whenNone="A server belongs to a customer."
    />
  )
}

export async function showRegistration(visit: Visit): Promise<Response> {
  return answerRegistration(visit, await customerOf(visit))
}

export async function registerServer(visit: Visit): Promise<Response> {
  const { c, service } = visit
  const customer = await customerOf(visit)
  const form = await readForm(c)
  try {
    const input = { customerId: customer.id, ...placeIn(form) }
    const { message, data } = await run(visit, registerInstanceOperation, RegisterInstanceResult, input, form)
    flash(c, service, { kind: 'good', text: message })
    return c.redirect(instancePath(data.instanceId), 303)
  } catch (error) {
    return answerRegistration(visit, customer, { refusal: refusalFor(visit, error), values: form.values })
  }
}

async function customerOf(visit: Visit): Promise<z.output<typeof Customer>> {
  const customerId = visit.c.req.param('customerId') ?? ''
  return (await run(visit, getCustomerOperation, CustomerResult, { customerId })).data
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

function answerRegistration(
  { c }: Visit,
  customer: z.output<typeof Customer>,
  tried?: Tried
): Promise<Response> {
  return page(
    c,
    <ConsoleFrame
      {...consoleFrame(c)}
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
    </ConsoleFrame>,
    tried ? tried.refusal.status : 200
  )
}

const FIELDS = ['host', 'port', 'username', 'name', 'hostKey', 'root']

const RegistrationForm: FC<{ customerId: string; tried: Tried | undefined }> = ({ customerId, tried }) => (
  <Form action={registerPath(customerId)}>
    <FormError refusal={errorAbove(tried, FIELDS)} />
    <Field
      label="Host"
      name="host"
      value={typed(tried, 'host')}
      help="Name or IP address of the server, such as vps1.example.com."
      error={errorAt(tried, 'host', 'Host')}
      maxlength={253}
      autocomplete="off"
      required
    />
    <Field
      label="SSH port"
      name="port"
      type="number"
      min={1}
      max={65_535}
      value={typed(tried, 'port', '22')}
      error={errorAt(tried, 'port', 'SSH port')}
      required
    />
    <Field
      label="User"
      name="username"
      value={typed(tried, 'username', 'root')}
      help="Whom we sign in as. The agent runs as this user; Telegram needs root."
      error={errorAt(tried, 'username', 'User')}
      maxlength={32}
      autocomplete="off"
      required
    />
    <Field
      label="Name"
      name="name"
      value={typed(tried, 'name')}
      help="What you call the server. Left empty, it is called by its host."
      error={errorAt(tried, 'name', 'Name')}
      maxlength={100}
      autocomplete="off"
    />
    <Field
      label="Host key"
      name="hostKey"
      value={typed(tried, 'hostKey')}
      help="Its SHA-256 fingerprint, as ssh-keygen -lf prints it. Left empty, we take the one that the server shows now, and compare at every connection from then on."
      error={errorAt(tried, 'hostKey', 'Host key')}
      maxlength={50}
      autocomplete="off"
      mono
    />
    <Field
      label="Folder"
      name="root"
      value={typed(tried, 'root')}
      help="Only when several agents share one machine: an absolute path that everything of this one goes below."
      error={errorAt(tried, 'root', 'Folder')}
      maxlength={200}
      autocomplete="off"
      mono
    />
    <FormActions>
      <Button>Register server</Button>
      <LinkButton href={INSTANCES} kind="plain">
        Cancel
      </LinkButton>
    </FormActions>
  </Form>
)
