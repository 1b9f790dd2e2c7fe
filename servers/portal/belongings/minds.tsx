// A customer's Minds, in the console and in its own portal, and making one more.
import type { FC } from 'hono/jsx'
import { CreateMind, type Mind } from '../../../schemas/mind.ts'
import { updateCustomerOperation } from '../../../src/customers/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import { say } from '../../../src/language/say.ts'
import { createMind, listMindsOperation } from '../../../src/memory/operations.ts'
import { answerPart, type CustomerContext, type ShownCustomer } from '../console-customers/customer-page.tsx'
import { customerPath } from '../console-customers/words.tsx'
import { isManager } from '../customer/menu.ts'
import { FieldControls, type FormField, fieldsOf, typedInput } from '../field-control.tsx'
import { baseOf, callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { TableCard } from '../ui/cards.tsx'
import { ActButton, FormCard } from '../ui/form.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { atEnd } from '../ui/table.tsx'
import { Badge, decimal, Nothing, Time } from '../ui/values.tsx'

const NEW_MIND = fieldsOf(CreateMind.omit({ customerId: true }).shape).map(
  (field): FormField => ({ ...field, control: 'line' })
)

export const portalMinds: Page = {
  async show(context, state) {
    const { c, customer } = context
    const { minds } = await callOperation(context, listMindsOperation)
    const shown = (
      <>
        <TableCard
          title={customer ? 'Parts of the memory' : say('Parts of your memory')}
          description={say(
            'A part keeps a subject to itself: none sees what another one holds. Agents use the primary one unless told otherwise; most need no other.'
          )}
          caption={say('Parts of the memory')}
          columns={[say('Part'), say('About'), atEnd(say('Memories')), atEnd(say('Changed'))]}
          rows={minds.map(({ mindId, name, description: about, isPrimary, memoryCount, updatedAt }) => ({
            href: mindsPath(context, mindId),
            cells: [
              <>
                <bdi>{mindName({ name, isPrimary })}</bdi>{' '}
                {isPrimary && name !== 'Primary' ? <Badge tone="neutral">{say('Primary')}</Badge> : null}
              </>,
              about === null ? <Nothing /> : <bdi>{about}</bdi>,
              decimal(memoryCount),
              <Time iso={updatedAt} />
            ]
          }))}
          empty={{ title: say('There is no part yet'), text: say('The primary one is made on first use.') }}
        />
        {customer || isManager(c.get('visitor')) ? (
          <FormCard title={say('Add a part')} sendsTo={mindsPath(context, 'create')} verb={say('Add part')}>
            <FieldControls of={NEW_MIND} state={state} />
          </FormCard>
        ) : null}
      </>
    )
    if (customer) return answerPart({ ...context, customer }, { part: 'memory', state, children: shown })
    const breadcrumbs = [{ href: `${baseOf(c)}/memory`, label: say('Memory') }]
    return showPage(
      context,
      { title: say('Parts of the memory'), current: 'memory', breadcrumbs, state },
      shown
    )
  },
  forms: {
    async create(context, form) {
      const { name, mindId } = await callOperation(context, createMind, typedInput(form, NEW_MIND), form)
      return { message: say('The part “{name}” was added.', { name }), next: mindsPath(context, mindId) }
    }
  }
}

export const consoleMinds: Page<CustomerContext> = {
  show: orMemoryOff(portalMinds.show),
  forms: {
    ...portalMinds.forms,
    async enable(context) {
      await callOperation(context, updateCustomerOperation, { enableAiMemory: true })
      return { message: 'Memory is on for this customer.' }
    }
  }
}

/** The first one has its name from us, unless it was given another. */
export const mindName = ({ name, isPrimary }: Pick<Mind, 'name' | 'isPrimary'>): string =>
  isPrimary && name === 'Primary' ? say('Primary') : name

/** Where the customer's Minds are listed, on the site that the page is on; each is below. */
export const mindsPath = ({ c, customer }: PageContext, ...below: string[]): string =>
  customer ? customerPath(customer.id, 'memory', ...below) : [baseOf(c), 'memory/minds', ...below].join('/')

/** The customer's own Mind of that id, in its portal. @throws ServiceError `mind_not_found` (404) */
export function mindOf(minds: readonly Mind[], mindId: string): Mind {
  const mind = minds.find((one) => one.mindId === mindId)
  if (mind) return mind
  throw new ServiceError('mind_not_found', 'Your memory has no part with this id.', { field: 'mindId' })
}

/** A page of the console that needs memory to be on: where it is off, how to turn it on. */
export function orMemoryOff(show: Page<CustomerContext>['show']): Page<CustomerContext>['show'] {
  return async function showOrMemoryOff(context, state) {
    try {
      return await show(context, state)
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'memory_not_enabled')) throw error
      const children = <MemoryOff customer={context.customer} />
      return answerPart(context, { part: 'memory', state, children })
    }
  }
}

/** Either switch may be off; the customer's own is here to turn. */
const MemoryOff: FC<{ customer: ShownCustomer }> = ({ customer: { id, enableAiMemory } }) => (
  <Card>
    {enableAiMemory ? (
      <EmptyState title="Memory is off for your account">
        <p>
          It is on for this customer, but not for you as a partner. Ask the operator of this service to switch
          it on.
        </p>
      </EmptyState>
    ) : (
      <EmptyState
        title="Memory is off for this customer"
        action={
          <ActButton kind="primary" action={customerPath(id, 'memory', 'enable')}>
            Turn memory on
          </ActButton>
        }
      >
        <p>
          While it is on, agents can remember, recall and ask for this customer; each remembering and asking
          takes credits. What was remembered before is kept.
        </p>
      </EmptyState>
    )}
  </Card>
)
