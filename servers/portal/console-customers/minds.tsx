// One customer's Minds.
import type { FC } from 'hono/jsx'
import { CustomerResult } from '../../../schemas/customer.ts'
import { Mind, MindList } from '../../../schemas/mind.ts'
import { updateCustomerOperation } from '../../../src/customers/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import { createMind, listMindsOperation } from '../../../src/memory/operations.ts'
import { MindTable, NewMind } from '../minds.tsx'
import { Button, Form, FormError } from '../ui/form.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { errorAbove, runFor, type Tried } from '../visit.ts'
import { answerPart, type CustomerVisit, type PartPages, type ShownCustomer } from './customer-page.tsx'
import { customerPath } from './paths.ts'

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
          description="Each keeps memories of its own. Agents use the primary one unless told otherwise; most customers need no other."
        >
          <MindTable minds={minds} hrefOf={(mindId) => customerPath(customer.id, 'memory', mindId)} />
        </Card>
        <NewMind action={customerPath(customer.id, 'memory', 'create')} tried={tried} />
      </>
    ) : (
      <MemoryOff customer={customer} />
    )
  })
}

/** The customer's Minds; none where its memory is switched off. */
export async function mindsOf(visited: CustomerVisit): Promise<Mind[] | undefined> {
  try {
    const { minds } = await runFor(visited, listMindsOperation, MindList)
    return minds
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'memory_not_enabled') return undefined
    throw error
  }
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
