// One Mind: what is known, what was told last, taking it out and forgetting.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { Acknowledgement } from '../../../schemas/envelope.ts'
import { type Mind, Recalled } from '../../../schemas/mind.ts'
import { MindWork, RetriedMindWork } from '../../../schemas/mind-work.ts'
import { ServiceError } from '../../../src/errors.ts'
import { recallOperation } from '../../../src/memory/operations.ts'
import { forgetMemoryOperation, forgetMindOperation } from '../../../src/memory/removal-operations.ts'
import { getMindWork, retryMindWork } from '../../../src/memory/work-operations.ts'
import { RecalledText } from '../customer/recalled-text.tsx'
import { namedBy, StoredText } from '../customer/stored-text.tsx'
import { exportOf } from '../memory-export.ts'
import { ConfirmButton, FormError, LinkButton } from '../ui/form.tsx'
import { Card, EmptyState, Grid } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/values.tsx'
import { errorAbove, run, type Tried, type Visit } from '../visit.ts'
import {
  answerPart,
  type CustomerVisit,
  type PartPages,
  parameter,
  type ShownCustomer,
  visitCustomer
} from './customer-page.tsx'
import { MindWorkCard } from './mind-work.tsx'
import { MemoryOff, mindsOf } from './minds.tsx'
import { customerPath } from './paths.ts'
import { counted } from './words.tsx'

type ShownMind = z.output<typeof Mind>
type Told = z.output<typeof Recalled>

export const mindPart: PartPages = {
  show: answerMind,
  forms: {
    'forget-memory': (visited, form) =>
      run(visited, forgetMemoryOperation, Acknowledgement, {
        ...placeOf(visited),
        memoryId: form.raw('memoryId')
      }),
    async forget(visited) {
      const { message } = await run(visited, forgetMindOperation, Acknowledgement, placeOf(visited))
      return { message, next: customerPath(visited.customer.id, 'memory') }
    },
    retry: (visited) => run(visited, retryMindWork, RetriedMindWork, placeOf(visited))
  }
}

const placeOf = (visited: CustomerVisit) => ({
  customerId: visited.customer.id,
  mindId: parameter(visited, 'mindId')
})

export async function downloadMind(visit: Visit): Promise<Response> {
  const visited = await visitCustomer(visit)
  const place = placeOf(visited)
  return exportOf(visited, place, `${visited.customer.customerId}-${place.mindId}`)
}

async function answerMind(visited: CustomerVisit, tried?: Tried): Promise<Response> {
  const { customer } = visited
  const place = placeOf(visited)
  const { mindId } = place
  const minds = await mindsOf(visited)
  if (!minds)
    return answerPart(visited, { part: 'memory', tried, children: <MemoryOff customer={customer} /> })
  const mind = minds.find((one) => one.mindId === mindId)
  if (!mind) throw new ServiceError('mind_not_found', 'This customer has no Mind with that id.')
  const told = await run(visited, recallOperation, Recalled, place)
  const worked = await run(visited, getMindWork, MindWork, place)
  return answerPart(visited, {
    part: 'memory',
    title: mind.name,
    above: [{ href: customerPath(customer.id, 'memory'), label: 'Memory' }],
    action: (
      <LinkButton kind="plain" href={customerPath(customer.id, 'memory', mindId, 'export')} download>
        Download all
      </LinkButton>
    ),
    tried,
    children: (
      <>
        <FormError refusal={errorAbove(tried, [])} />
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
        <Card
          title="Told last"
          description={`The newest ${told.messages.length} of ${counted(mind.memoryCount, 'memory', 'memories')}.`}
        >
          <Memories customer={customer} mind={mind} told={told} />
        </Card>
        <MindWorkCard {...worked} action={customerPath(customer.id, 'memory', mindId, 'retry')} />
        <ForgetMind customer={customer} mind={mind} />
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

const Memories: FC<{ customer: ShownCustomer; mind: ShownMind; told: Told }> = ({ customer, mind, told }) => (
  <Table
    caption="Memories, newest first"
    columns={['Memory', { title: 'When', align: 'end' }, { title: 'Actions', hidden: true }]}
    rows={told.messages.map(({ id, content, occurredAt }) => ({
      key: id,
      cells: [
        <StoredText text={content} />,
        <Time iso={occurredAt} />,
        <ConfirmButton
          label="Forget"
          title="Forget this memory?"
          text={`${namedBy(content)} is deleted for good, with the facts that were read from it.`}
          action={customerPath(customer.id, 'memory', mind.mindId, 'forget-memory')}
          fields={{ memoryId: id }}
          confirmLabel="Forget memory"
        />
      ]
    }))}
    empty={
      <EmptyState title="Nothing is remembered yet">
        <p>What agents remember for this customer is listed here.</p>
      </EmptyState>
    }
  />
)

const ForgetMind: FC<{ customer: ShownCustomer; mind: ShownMind }> = ({ customer, mind }) => (
  <Card
    tone="danger"
    title="Forget this Mind"
    description={
      mind.isPrimary
        ? 'Deletes every memory in it for good. The primary Mind is made anew, and empty, on next use.'
        : 'Deletes the Mind and every memory in it for good.'
    }
  >
    <ConfirmButton
      label="Forget Mind"
      title={`Forget ${mind.name}?`}
      text={`${counted(mind.memoryCount, 'memory is', 'memories are')} deleted for good. Download them first if they may be needed.`}
      action={customerPath(customer.id, 'memory', mind.mindId, 'forget')}
      confirmLabel={`Forget ${mind.name}`}
    />
  </Card>
)
