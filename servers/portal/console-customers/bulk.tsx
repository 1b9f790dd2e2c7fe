// What is done to many customers at once: each by a call of its own.
import { UpdateCustomer } from '../../../schemas/customer.ts'
import { requireScope } from '../../../src/caller.ts'
import { grantCustomerCredits } from '../../../src/credits/operations.ts'
import { nameOf } from '../../../src/customers/name.ts'
import { findCustomersOperation, updateCustomerOperation } from '../../../src/customers/operations.ts'
import { invalidInput } from '../../../src/invalid-input.ts'
import type { AnyOperation } from '../../../src/operation.ts'
import { enablePortalAccess, togglePortalBlock } from '../../../src/portal-access/operations.ts'
import { FieldControls, type FormField, typedInput } from '../field-control.tsx'
import type { FormState } from '../form-state.ts'
import type { Form as Submitted } from '../forms.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { FormCard, PlainLink } from '../ui/form.tsx'
import { EmptyState } from '../ui/layout.tsx'
import { counted } from '../ui/values.tsx'
import { workThrough } from '../work-page.tsx'
import { GRANT } from './credits.tsx'
import { filterAsked } from './customer-list.tsx'
import { planChoices } from './plan-choices.ts'
import { BULK, CUSTOMERS } from './words.tsx'

const MOST = 1_000
const A_PAGE = 100
const HEAD = {
  title: 'Many customers at once',
  current: 'customers',
  breadcrumbs: [{ href: CUSTOMERS, label: 'Customers' }]
}

interface Act {
  operation: Parameters<typeof callOperation>[1] & AnyOperation
  title: string
  about: string
  verb: string
  input?: Record<string, unknown>
  fields?: readonly FormField[]
}

const PLAN: FormField = { name: 'planId', schema: UpdateCustomer.shape.planId.unwrap().unwrap() }

const ACTS: Readonly<Record<string, Act>> = {
  invite: {
    operation: enablePortalAccess,
    title: 'Invite to the portal',
    about:
      'Mails each owner a link with a temporary password; earlier invites end, and so do their sessions.',
    verb: 'Send invites'
  },
  block: {
    operation: togglePortalBlock,
    title: 'Block access',
    about: 'Signs each out with its whole team, and keeps them out. Nothing is deleted.',
    verb: 'Block access',
    input: { newStatus: 'suspended' }
  },
  unblock: {
    operation: togglePortalBlock,
    title: 'Grant access again',
    about: 'Each can sign in again with its password.',
    verb: 'Grant access',
    input: { newStatus: 'active' }
  },
  plan: {
    operation: updateCustomerOperation,
    title: 'Give a plan',
    about: 'It begins now in place of the one that each has, and is charged to its account.',
    verb: 'Give the plan',
    fields: [PLAN]
  },
  grant: {
    operation: grantCustomerCredits,
    title: 'Grant credits',
    about: 'Adds to the credits of each; your own stay as they are.',
    verb: 'Grant credits',
    fields: GRANT
  }
}

export const bulkPage: Page = {
  show: showBulk,
  // A thousand ids with names.
  maxBytes: 256 * 1024,
  forms: Object.fromEntries(
    Object.entries(ACTS).map(([name, act]) => [name, (context, form) => doToAll(context, form, act)])
  )
}

function doToAll(context: PageContext, form: Submitted, { operation, input, fields = [] }: Act) {
  requireScope(context.c.get('consoleVisitor').caller, operation.scope)
  const given = { ...input, ...typedInput(form, fields) }
  const { error } = operation.input.safeParse({ ...given, customerId: 'cus_any' })
  if (error) throw invalidInput(error)
  const tasks = chosenIn(form).map(([customerId = '', ...name]) => ({
    label: name.join(' '),
    act: () =>
      callOperation(
        context,
        operation,
        { ...given, customerId },
        { raw: (field) => `${form.raw(field)}.${customerId}` }
      )
  }))
  return workThrough(context, HEAD, tasks)
}

/** Ids, each with what it is called. */
const chosenIn = (form: Submitted): string[][] =>
  [...new Set(form.raw('customers').split(/\r?\n/).filter(Boolean))]
    .slice(0, MOST)
    .map((line) => line.split(' '))

async function showBulk(context: PageContext, state?: FormState): Promise<Response> {
  const chosen = state?.form ? chosenIn(state.form).map((words) => words.join(' ')) : await chosenBy(context)
  const plans = await planChoices(context, 'subscription')
  const children =
    chosen.length === 0 ? (
      <EmptyState title="Nobody is chosen" action={<PlainLink href={CUSTOMERS}>Choose customers</PlainLink>}>
        <p>Tick customers in the list, or take all that its filters leave, up to {MOST}.</p>
      </EmptyState>
    ) : (
      <>
        <p>{counted(chosen.length, 'customer is', 'customers are')} chosen.</p>
        {Object.entries(ACTS).map(([name, { title, about, verb, fields = [] }]) => (
          <FormCard
            title={title}
            description={about}
            sendsTo={`${BULK}/${name}`}
            verb={`${verb}: ${counted(chosen.length, 'customer')}`}
            kind="plain"
          >
            <input type="hidden" name="customers" value={chosen.join('\n')} />
            <FieldControls
              of={fields}
              choices={{ planId: [{ value: '', label: 'Choose a plan' }, ...plans] }}
              state={state}
            />
          </FormCard>
        ))}
      </>
    )
  return showPage(context, { ...HEAD, state }, children)
}

/** Those that the address names, or all that its filters leave. */
async function chosenBy(context: PageContext): Promise<string[]> {
  const ids = context.c.req.queries('id')?.slice(0, A_PAGE)
  if (!ids && context.c.req.query('all') === undefined) return []
  const asked = ids ? { ids } : filterAsked(context)
  const chosen: string[] = []
  for (let page = 1; chosen.length < MOST; page += 1) {
    const found = await callOperation(context, findCustomersOperation, { ...asked, page, limit: A_PAGE })
    chosen.push(...found.data.map((customer) => `${customer.id} ${nameOf(customer).slice(0, 60)}`))
    if (!found.pagination.hasNextPage) break
  }
  return chosen
}
