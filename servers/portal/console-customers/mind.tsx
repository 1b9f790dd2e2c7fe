// One Mind: what is known, what was told last, taking it out and forgetting.

import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import type { MindWork } from '../../../schemas/mind-work.ts'
import { ServiceError } from '../../../src/errors.ts'
import { recallOperation } from '../../../src/memory/operations.ts'
import { forgetMemoryOperation, forgetMindOperation } from '../../../src/memory/removal-operations.ts'
import { getMindWork, retryMindWork } from '../../../src/memory/work-operations.ts'
import { RecalledText } from '../customer/recalled-text.tsx'
import type { FormState } from '../form-state.ts'
import { exportOf } from '../memory-export.ts'
import { ForgetMind, NewestMemories } from '../minds.tsx'
import { callOperation, type Page } from '../page-kit.tsx'
import { Button, Form, LinkButton } from '../ui/form.tsx'
import { Card, EmptyState, Grid } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { counted, Money, type State, StateBadge, Time } from '../ui/values.tsx'
import { answerPart, type CustomerContext, parameter } from './customer-page.tsx'
import { MemoryOff, mindsOf } from './minds.tsx'
import { customerPath } from './paths.ts'

export const mindPart: Page<CustomerContext> = {
  show: answerMind,
  forms: {
    'forget-memory': (context, form) =>
      callOperation(context, forgetMemoryOperation, {
        ...placeOf(context),
        memoryId: form.raw('memoryId')
      }),
    async forget(context) {
      const { message } = await callOperation(context, forgetMindOperation, placeOf(context))
      return { message, next: customerPath(context.customer.id, 'memory') }
    },
    retry: (context) => callOperation(context, retryMindWork, placeOf(context))
  }
}

const placeOf = (context: CustomerContext) => ({
  customerId: context.customer.id,
  mindId: parameter(context, 'mindId')
})

export async function downloadMind(context: CustomerContext): Promise<Response> {
  const place = placeOf(context)
  return exportOf(context, place, `${context.customer.customerId}-${place.mindId}`)
}

async function answerMind(context: CustomerContext, state?: FormState): Promise<Response> {
  const { customer } = context
  const place = placeOf(context)
  const minds = await mindsOf(context)
  if (!minds)
    return answerPart(context, { part: 'memory', state, children: <MemoryOff customer={customer} /> })
  const mind = minds.find(({ mindId }) => mindId === place.mindId)
  if (!mind) throw new ServiceError('mind_not_found', 'This customer has no Mind with that id.')
  const below = (form: string) => customerPath(customer.id, 'memory', place.mindId, form)
  const told = await callOperation(context, recallOperation, place)
  const worked = await callOperation(context, getMindWork, place)
  return answerPart(context, {
    part: 'memory',
    title: mind.name,
    above: [{ href: customerPath(customer.id, 'memory'), label: 'Memory' }],
    action: (
      <LinkButton kind="plain" href={below('export')} download>
        Download all
      </LinkButton>
    ),
    state,
    children: (
      <>
        {told.degraded ? (
          <Card title="Only part of it is here">
            <p>The memory service doesn’t answer right now, so profile and snapshot may be old.</p>
          </Card>
        ) : null}
        <Grid>
          <Known
            title="Profile"
            text={told.profile}
            none="No lasting facts yet. They are read from what is told."
          />
          <Known title="Snapshot" text={told.snapshot} none="Nothing changed in the last 30 days." />
        </Grid>
        <NewestMemories
          description={`The newest ${told.messages.length} of ${counted(mind.memoryCount, 'memory', 'memories')}.`}
          messages={told.messages}
          forgetting={(memoryId) => ({ action: below('forget-memory'), fields: { memoryId } })}
          whenNone="What agents remember for this customer is listed here."
        />
        <MindWorkCard {...worked} action={below('retry')} />
        <ForgetMind mind={mind} action={below('forget')} />
      </>
    )
  })
}

const Known: FC<{ title: string; text: string; none: string }> = ({ title, text, none }) => (
  <Card title={title}>
    {text === '' ? (
      <EmptyState title="Nothing yet">
        <p>{none}</p>
      </EmptyState>
    ) : (
      <RecalledText text={text} />
    )}
  </Card>
)

// How far the work behind a Mind is, and what models took for it.

type Shown = z.output<typeof MindWork>
type Work = Shown['work'][number]
type Usage = Shown['usage'][number]

const WORKS: Readonly<Record<Work['kind'], string>> = {
  consolidate: 'Facts read by the model',
  embed: 'Vectors for finding by meaning',
  forward: 'Copies at Honcho'
}

const PURPOSES: Readonly<Record<Usage['purpose'], string>> = {
  consolidate: 'Reading facts',
  ask: 'Answering questions',
  embed: 'Vectors'
}

/** Nothing where no model and no other service ever worked on the Mind. */
const MindWorkCard: FC<Pick<Shown, 'work' | 'usage'> & { action: string }> = ({ work, usage, action }) => {
  if (work.length === 0 && usage.length === 0) return null
  return (
    <Card
      title="Work behind this Mind"
      description="It goes on by itself. Recall and Ask don’t wait for it."
      action={
        work.some(({ isOn, lastError, putAside }) => isOn && (lastError !== null || putAside > 0)) ? (
          <Form action={action}>
            <Button kind="plain">Try again now</Button>
          </Form>
        ) : undefined
      }
    >
      <Table
        caption="Work behind this Mind"
        columns={[
          'Work',
          'State',
          { title: 'Last done', align: 'end' },
          { title: 'Oldest waiting', align: 'end' },
          { title: 'Failed runs', align: 'end' }
        ]}
        rows={work.map((one) => ({
          key: one.kind,
          cells: [
            WORKS[one.kind],
            <StateBadge {...stateOf(one)} />,
            <Time iso={one.lastDoneAt} />,
            <Time iso={one.waitingSince} />,
            <span class="number">{one.failures.toLocaleString('en')}</span>
          ]
        }))}
        empty={null}
      />
      {work
        .filter(({ lastError }) => lastError !== null)
        .map((one) => (
          <Failure work={one} />
        ))}
      {usage.length === 0 ? null : <Costs usage={usage} />}
    </Card>
  )
}

function stateOf({ isOn, waiting, lastError, putAside }: Work): State {
  if (!isOn) return { tone: 'neutral', label: 'Switched off' }
  if (lastError !== null) return { tone: 'bad', label: 'Failing' }
  if (putAside > 0) return { tone: 'warn', label: `${counted(putAside, 'memory', 'memories')} given up` }
  if (waiting > 0) return { tone: 'neutral', label: `${counted(waiting, 'memory waits', 'memories wait')}` }
  return { tone: 'good', label: 'Up to date' }
}

const Failure: FC<{ work: Work }> = ({ work: { kind, lastError, nextAttemptAt, waiting, putAside } }) => (
  <p>
    {WORKS[kind]}: {lastError} {counted(waiting, 'memory waits', 'memories wait')}
    {putAside > 0 ? `, ${counted(putAside, 'was', 'were')} given up` : ''}
    {nextAttemptAt === null ? (
      '.'
    ) : (
      <>
        , next attempt <Time iso={nextAttemptAt} />.
      </>
    )}
  </p>
)

const Costs: FC<{ usage: readonly Usage[] }> = ({ usage }) => (
  <Table
    caption="What models took for this Mind"
    columns={[
      'Models',
      { title: 'Calls', align: 'end' },
      { title: 'Tokens in', align: 'end' },
      { title: 'Tokens out', align: 'end' },
      { title: 'Cost', align: 'end' }
    ]}
    rows={usage.map(({ purpose, calls, inputTokens, outputTokens, cost }) => ({
      key: purpose,
      cells: [
        PURPOSES[purpose],
        ...[calls, inputTokens, outputTokens].map((count) => (
          <span class="number">{count.toLocaleString('en')}</span>
        )),
        <Money amount={cost} />
      ]
    }))}
    empty={null}
  />
)
