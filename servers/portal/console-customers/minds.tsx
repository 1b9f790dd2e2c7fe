// One customer's Minds.

import type { FC } from 'hono/jsx'
import type { Mind } from '../../../schemas/mind.ts'
import { updateCustomerOperation } from '../../../src/customers/operations.ts'
import { ServiceError } from '../../../src/errors.ts'
import { createMind, listMindsOperation } from '../../../src/memory/operations.ts'
import type { FormState } from '../form-state.ts'
import { MindTable, NewMind } from '../minds.tsx'
import { callOperation, type Page } from '../page-kit.tsx'
import { Button, Form } from '../ui/form.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { answerPart, type CustomerContext, type ShownCustomer } from './customer-page.tsx'
import { customerPath } from './paths.ts'

export const mindsPart: Page<CustomerContext> = {
  show: answerMinds,
  forms: {
    async create(context, form) {
      const input = { name: form.raw('name').trim(), description: form.text('description') }
      const { name } = await callOperation(context, createMind, input, form)
      return { message: `The Mind “${name}” was created.` }
    },
    async enable(context) {
      await callOperation(context, updateCustomerOperation, { enableAiMemory: true })
      return { message: 'Memory is on for this customer.' }
    }
  }
}

async function answerMinds(context: CustomerContext, state?: FormState): Promise<Response> {
  const { customer } = context
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
          <MindTable minds={minds} hrefOf={(mindId) => customerPath(customer.id, 'memory', mindId)} />
        </Card>
        <NewMind action={customerPath(customer.id, 'memory', 'create')} state={state} />
      </>
    ) : (
      <MemoryOff customer={customer} />
    )
  })
}

/** The customer's Minds; none where its memory is switched off. */
export async function mindsOf(context: CustomerContext): Promise<Mind[] | undefined> {
  try {
    const { minds } = await callOperation(context, listMindsOperation)
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
