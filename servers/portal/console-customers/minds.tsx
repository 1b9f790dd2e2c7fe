// One customer's Minds.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { CustomerResult } from '../../../schemas/customer.ts'
import { Mind, MindList } from '../../../schemas/mind.ts'
import { updateCustomerOperation } from '../../../src/customers/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import { createMind, listMindsOperation } from '../../../src/memory/operations.ts'
import { Field } from '../ui/field.tsx'
import { Button, Form, FormError, Submit } from '../ui/form.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { Badge, Time } from '../ui/values.tsx'
import { asked, errorAbove, runFor, type Tried } from '../visit.ts'
import { answerPart, type CustomerVisit, type PartPages, type ShownCustomer } from './customer-page.tsx'
import { customerPath } from './paths.ts'
import { Nothing } from './words.tsx'

type ShownMind = z.output<typeof Mind>

export const mindsPart: PartPages = {
  show: answerMinds,
  forms: {
    async create(visited, form) {
      const input = { name: form.raw('name').trim(), description: form.text('description') }
      const { name } = await runFor(visited, createMind, Mind, input, form)
      return { message: `The Mind “${name}” was created.` }
    },
    async enable(visited) {
      await runFor(visited, updateCustomerOperation, CustomerResult, { enableAiMemory: true })
      return { message: 'Memory is on for this customer.' }
    }
  }
}

async function answerMinds(visited: CustomerVisit, tried?: Tried): Promise<Response> {
  const { customer } = visited
  const minds = await mindsOf(visited)
  return answerPart(visited, {
    part: 'memory',
    tried,
    children: minds ? (
      <>
        <FormError refusal={errorAbove(tried, ['name', 'description'])} />
        <Card
          title="Minds"
          description="Each keeps memories of its own. Agents use the primary one unless told otherwise."
        >
          <Minds customer={customer} minds={minds} />
        </Card>
        <NewMind customer={customer} tried={tried} />
      </>
    ) : (
      <MemoryOff customer={customer} />
    )
  })
}

/** The customer's Minds; none where its memory is switched off. */
export async function mindsOf(visited: CustomerVisit): Promise<ShownMind[] | undefined> {
  try {
    const { minds } = await runFor(visited, listMindsOperation, MindList)
    return minds
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'memory_not_enabled') return undefined
    throw error
  }
}

const Minds: FC<{ customer: ShownCustomer; minds: readonly ShownMind[] }> = ({ customer, minds }) => (
  <Table
    caption="Minds of this customer"
    columns={['Mind', 'About', { title: 'Memories', align: 'end' }, { title: 'Changed', align: 'end' }]}
    rows={minds.map((mind) => ({
      key: mind.mindId,
      href: customerPath(customer.id, 'memory', mind.mindId),
      cells: [
        <>
          {mind.name}{' '}
          {mind.isPrimary && mind.name !== 'Primary' ? <Badge tone="neutral">Primary</Badge> : null}
        </>,
        mind.description ?? <Nothing />,
        mind.memoryCount.toLocaleString('en'),
        <Time iso={mind.updatedAt} />
      ]
    }))}
    empty={
      <EmptyState title="Nothing is remembered yet">
        <p>The primary Mind is made when an agent remembers the first thing.</p>
      </EmptyState>
    }
  />
)

const NewMind: FC<{ customer: ShownCustomer; tried: Tried | undefined }> = ({ customer, tried }) => (
  <Card
    title="Create a Mind"
    description="To keep a subject apart. Most customers need only the primary one."
  >
    <Form action={customerPath(customer.id, 'memory', 'create')}>
      <Field {...asked(tried, 'name', 'Name')} maxlength={100} autocomplete="off" required />
      <Field {...asked(tried, 'description', 'What it is about')} maxlength={500} autocomplete="off" />
      <Submit kind="plain">Create Mind</Submit>
    </Form>
  </Card>
)

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
