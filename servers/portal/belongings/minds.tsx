// A customer's Minds, in the console and in its own portal, and making one more.
import type { FC } from 'hono/jsx'
import { CreateMind, type Mind } from '../../../schemas/mind.ts'
import { updateCustomerOperation } from '../../../src/customers/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import { createMind, listMindsOperation } from '../../../src/memory/operations.ts'
import { answerPart, type CustomerContext, type ShownCustomer } from '../console-customers/customer-page.tsx'
import { customerPath } from '../console-customers/words.tsx'
import { isManager } from '../customer/menu.ts'
import { FieldControl, type FormField, fieldsOf, typedInput } from '../field-control.tsx'
import type { FormState } from '../form-state.ts'
import type { Form as SentForm } from '../forms.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Button, Form, Submit } from '../ui/form.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { atEnd, Table } from '../ui/table.tsx'
import { Badge, decimal, Nothing, Time } from '../ui/values.tsx'

export const consoleMinds: Page<CustomerContext> = {
  async show(context, state) {
    const minds = await mindsOf(context)
    const shown = minds ? (
      <MindList
        title="Minds"
        description="Each keeps memories of its own. Agents use the primary one unless told otherwise; most customers need no other."
        minds={minds}
        base={customerPath(context.customer.id, 'memory')}
        canCreate
        state={state}
      />
    ) : (
      <MemoryOff customer={context.customer} />
    )
    return answerPart(context, { part: 'memory', state, children: shown })
  },
  forms: {
    async create(context, form) {
      const { message } = await create(context, form)
      return { message }
    },
    async enable(context) {
      await callOperation(context, updateCustomerOperation, { enableAiMemory: true })
      return { message: 'Memory is on for this customer.' }
    }
  }
}

export const portalMinds: Page = {
  async show(context, state) {
    const { minds } = await callOperation(context, listMindsOperation)
    const memory = `${context.c.get('portal').base}/memory`
    return showPage(
      context,
      { title: 'Minds', current: 'memory', breadcrumbs: [{ href: memory, label: 'Memory' }], state },
      <MindList
        title="Your Minds"
        description="A Mind keeps a subject apart: no Mind sees what another one holds. Most need only the primary one."
        minds={minds}
        base={`${memory}/minds`}
        canCreate={isManager(context.c.get('visitor'))}
        state={state}
      />
    )
  },
  forms: {
    async create(context, form) {
      const { message, mindId } = await create(context, form)
      return { message, next: `${context.c.get('portal').base}/memory/minds/${mindId}` }
    }
  }
}

const NEW_MIND = fieldsOf(CreateMind.omit({ customerId: true }).shape).map(
  (field): FormField => ({ ...field, control: 'line' })
)

async function create(context: PageContext, form: SentForm) {
  const { name, mindId } = await callOperation(context, createMind, typedInput(form, NEW_MIND), form)
  return { mindId, message: `The Mind “${name}” was created.` }
}

/** The customer's Minds; none where its memory is switched off. */
export async function mindsOf(context: CustomerContext): Promise<Mind[] | undefined> {
  try {
    return (await callOperation(context, listMindsOperation)).minds
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'memory_not_enabled') return undefined
    throw error
  }
}

/** The customer's own Mind of that id, in its portal. @throws ServiceError `mind_not_found` (404) */
export function mindOf(minds: readonly Mind[], mindId: string): Mind {
  const mind = minds.find((one) => one.mindId === mindId)
  if (mind) return mind
  throw new ServiceError('mind_not_found', 'You have no Mind with this id.', { field: 'mindId' })
}

/** Either switch may be off; the customer's own is here to turn. */
export const MemoryOff: FC<{ customer: ShownCustomer }> = ({ customer: { id, enableAiMemory } }) => (
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
          <Form action={customerPath(id, 'memory', 'enable')}>
            <Button>Turn memory on</Button>
          </Form>
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

interface MindListProps {
  title: string
  description: string
  minds: readonly Mind[]
  /** The address that those of the Minds are below. */
  base: string
  canCreate: boolean
  state: FormState | undefined
}

const MindList: FC<MindListProps> = ({ title, description, minds, base, canCreate, state }) => (
  <>
    <Card title={title} description={description}>
      <Table
        caption="Minds"
        columns={['Mind', 'About', atEnd('Memories'), atEnd('Changed')]}
        rows={minds.map(({ mindId, name, description: about, isPrimary, memoryCount, updatedAt }) => ({
          href: `${base}/${mindId}`,
          cells: [
            <>
              <bdi>{name}</bdi>{' '}
              {isPrimary && name !== 'Primary' ? <Badge tone="neutral">Primary</Badge> : null}
            </>,
            about === null ? <Nothing /> : <bdi>{about}</bdi>,
            decimal(memoryCount),
            <Time iso={updatedAt} />
          ]
        }))}
        empty={{ title: 'There is no Mind yet', text: 'The primary one is made on first use.' }}
      />
    </Card>
    {canCreate ? (
      <Card title="Create a Mind">
        <Form action={`${base}/create`}>
          {NEW_MIND.map((field) => (
            <FieldControl field={field} state={state} />
          ))}
          <Submit>Create Mind</Submit>
        </Form>
      </Card>
    ) : null}
  </>
)
