// The servers of all customers, and registering one.
import { FindInstances, RegisterInstance } from '../../../schemas/instance.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { findInstances, registerInstanceOperation } from '../../../src/instances/operations.ts'
import { chooseCustomer } from '../choose-customer.tsx'
import { type CustomerContext, ofCustomer } from '../console-customers/customer-page.tsx'
import { customerPath } from '../console-customers/words.tsx'
import { FieldControls, fieldsOf, typedInput } from '../field-control.tsx'
import type { FormState } from '../form-state.ts'
import { listing, listQuery } from '../listing.tsx'
import { callOperation, type PageContext, showPage } from '../page-kit.tsx'
import { asked } from '../settings/address.ts'
import { Form, LinkButton, PlainLink, Submit } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { choicesOf } from '../ui/search.tsx'
import { Table } from '../ui/table.tsx'
import { Nothing } from '../ui/values.tsx'
import { changeFormPage, deployFormPage, showDeploy, streamDeploy } from './deploy-page.tsx'
import { instancePage } from './instance-page.tsx'
import { rolloutPage } from './rollout-page.tsx'
import { ABOVE, INSTANCES, InstanceState, instancePath, NO_ANSWER, placeOf, ROLLOUT } from './words.tsx'

const { sort, trouble } = FindInstances.shape
const Query = listQuery(sort).extend({ trouble: asked(trouble) })

const TROUBLES = choicesOf({ unreachableSince: NO_ANSWER.label, failedAt: 'Last deploy failed' })
const FILTER = { label: 'State', name: 'trouble', options: TROUBLES }

async function showInstances(context: PageContext): Promise<Response> {
  const query = Query.parse(context.c.req.query())
  const list = listing(INSTANCES, query, { name: 'name' })
  const { data, pagination } = await callOperation(context, findInstances, query)
  const action = <LinkButton href={instancePath('register')}>Register a server</LinkButton>
  return showPage(
    context,
    { title: 'Servers', current: 'instances', action },
    <>
      {list.search('Name, host or customer', [{ ...FILTER, value: query.trouble }])}
      <Table
        caption={`Customers’ servers: ${list.order}`}
        columns={[list.sorted('Server', 'name'), 'Host', 'Customer', 'Agent', 'State']}
        rows={data.map((instance) => ({
          href: instancePath(instance.instanceId),
          cells: [
            instance.name,
            <code>{placeOf(instance)}</code>,
            <a href={customerPath(instance.customerId)}>{instance.customerName}</a>,
            instance.agentName ? <bdi>{instance.agentName}</bdi> : <Nothing />,
            <InstanceState {...instance} />
          ]
        }))}
        empty={
          list.isSearched
            ? { title: 'No server matches' }
            : query.trouble
              ? { title: 'No server in that state' }
              : { title: 'No server yet', text: NONE_YET, action }
        }
      />
      {list.pager(pagination)}
      {data.some(({ agentName }) => agentName !== null) ? (
        <PlainLink href={ROLLOUT}>Change all agents</PlainLink>
      ) : null}
    </>
  )
}

const NONE_YET = (
  <p>
    Register a customer’s virtual server, let our key in, and deploy an agent there. The customer then chats
    with it in the portal.
  </p>
)

const FIELDS = fieldsOf(RegisterInstance.omit({ customerId: true }).shape)

const REGISTER = instancePath('register')

const chooseForWhom = (context: PageContext): Promise<Response> =>
  chooseCustomer(context, {
    title: 'Register a server: for whom?',
    current: 'instances',
    action: REGISTER,
    hrefOf: (customerId) => instancePath('register', customerId),
    whenNone: 'A server belongs to a customer.'
  })

const registerPage = ofCustomer({
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
        <FieldControls of={FIELDS} state={state} />
        <Submit cancelHref={INSTANCES}>Register server</Submit>
      </Form>
    </Card>
  )
}

export const instancePages = {
  '/instances': showInstances,
  '/instances/register': chooseForWhom,
  '/instances/register/:customerId': registerPage,
  '/instances/all': rolloutPage,
  '/instances/:instanceId': instancePage,
  '/instances/:instanceId/change': changeFormPage,
  '/instances/:instanceId/deploy': deployFormPage,
  '/instances/:instanceId/deploys/:deployId': showDeploy,
  '/instances/:instanceId/deploys/:deployId/events': streamDeploy
}
