// A customer's Minds, in the console and in its own portal, and making one more.
import type { FC } from 'hono/jsx'
import { CreateMind, type Mind } from '../../../schemas/mind.ts'
import { updateCustomerOperation } from '../../../src/customers/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import { createMind, listMindsOperation } from '../../../src/memory/operations.ts'
import { answerPart, type CustomerContext, type ShownCustomer } from '../console-customers/customer-page.tsx'
import { customerPath } from '../console-customers/paths.ts'
import { isManager } from '../customer/menu.ts'
import { asked, type FormState } from '../form-state.ts'
import type { Form as SentForm } from '../forms.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Field } from '../ui/field.tsx'
import { Button, Form, Submit } from '../ui/form.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { Badge, Nothing, Time } from '../ui/values.tsx'

export const consoleMinds: Page<CustomerContext> = {
  async show(context, state) {
    const minds = await mindsOf(context)
    return answerPart(context, {
      part: 'memory',
      state,
      children: minds ? (
        <>
          <Card
            title="Minds"
            description="Each keeps memories of its own. Agents use the primary one unless told otherwise; most customers need no other."
          >
            <MindTable
              minds={minds}
              hrefOf={(mindId) => customerPath(context.customer.id, 'memory', mindId)}
            />
          </Card>
          <NewMind action={customerPath(context.customer.id, 'memory', 'create')} state={state} />
        </>
      ) : (
        <MemoryOff customer={context.customer} />
      )
    })
  },
  forms: {
    async create(context, form) {
      return { message: createdText(await create(context, form)) }
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
    const memory = `${context.c.get('site').base}/memory`
    return showPage(
      context,
      { title: 'Minds', current: 'memory', breadcrumbs: [{ href: memory, label: 'Memory' }], state },
      <>
        <Card
          title="Your Minds"
          description="A Mind keeps a subject apart: no Mind sees what another one holds. Most need only the primary one."
        >
          <MindTable minds={minds} hrefOf={(mindId) => `${memory}/minds/${mindId}`} />
        </Card>
        {isManager(context.c.get('visitor')) ? (
          <NewMind action={`${memory}/minds/create`} state={state} />
        ) : null}
      </>
    )
  },
  forms: {
    async create(context, form) {
      const mind = await create(context, form)
      const next = `${context.c.get('site').base}/memory/minds/${mind.mindId}`
      return { message: createdText(mind), next }
    }
  }
}

const create = (context: PageContext, form: SentForm): Promise<Mind> =>
  callOperation(
    context,
    createMind,
    { name: form.raw('name').trim(), description: form.text('description') },
    form
  )

const createdText = ({ name }: Mind): string => `The Mind “${name}” was created.`

/** The customer's Minds; none where its memory is switched off. */
export async function mindsOf(context: CustomerContext): Promise<Mind[] | undefined> {
  try {
    return (await callOperation(context, listMindsOperation)).minds
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'memory_not_enabled') return undefined
    throw error
  }
}

/**
 * The Mind of that id among the customer's own, in its portal.
 *
 * @throws ServiceError `mind_not_found` (404)
 */
export function mindOf(minds: readonly Mind[], mindId: string): Mind {
  const mind = minds.find((one) => one.mindId === mindId)
  if (mind) return mind
  throw new ServiceError('mind_not_found', 'You have no Mind with this id.', { field: 'mindId' })
}

/** Either switch may be off; the customer's own is here to turn. */
export const MemoryOff: FC<{ customer: ShownCustomer }> = ({ customer }) =>
  customer.enableAiMemory ? (
    <Card>
      <EmptyState title="Memory is off for your account">
        <p>
          It is on for this customer, but not for you as a partner. Ask the operator of this service to switch
          it on.
        </p>
      </EmptyState>
    </Card>
  ) : (
    <Card>
      <EmptyState
        title="Memory is off for this customer"
        action={
          <Form action={customerPath(customer.id, 'memory', 'enable')}>
            <Button>Turn memory on</Button>
          </Form>
        }
      >
        <p>
          While it is on, agents can remember, recall and ask for this customer; each remembering and asking
          takes credits. What was remembered before is kept.
        </p>
      </EmptyState>
    </Card>
  )

const MindTable: FC<{ minds: readonly Mind[]; hrefOf: (mindId: string) => string }> = ({ minds, hrefOf }) => (
  <Table
    caption="Minds"
    columns={['Mind', 'About', { title: 'Memories', align: 'end' }, { title: 'Changed', align: 'end' }]}
    rows={minds.map(({ mindId, name, description, isPrimary, memoryCount, updatedAt }) => ({
      href: hrefOf(mindId),
      cells: [
        <>
          <bdi>{name}</bdi> {isPrimary && name !== 'Primary' ? <Badge tone="neutral">Primary</Badge> : null}
        </>,
        description === null ? <Nothing /> : <bdi>{description}</bdi>,
        memoryCount.toLocaleString('en'),
        <Time iso={updatedAt} />
      ]
    }))}
    empty={{ title: 'There is no Mind yet', text: 'The primary one is made on first use.' }}
  />
)

const NewMind: FC<{ action: string; state: FormState | undefined }> = ({ action, state }) => (
  <Card title="Create a Mind">
    <Form action={action}>
      <Field
        {...asked(state, 'name', 'Name')}
        required
        maxlength={CreateMind.shape.name.maxLength ?? undefined}
        autocomplete="off"
      />
      <Field
        {...asked(state, 'description', 'Description')}
        maxlength={CreateMind.shape.description.unwrap().maxLength ?? undefined}
        help="What belongs in it, for those who choose between Minds."
        autocomplete="off"
      />
      <Submit>Create Mind</Submit>
    </Form>
  </Card>
)
