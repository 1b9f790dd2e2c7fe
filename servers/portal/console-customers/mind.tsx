// One Mind: what is known, what was told last, taking it out and forgetting.
import type { FC } from 'hono/jsx'
import { Acknowledgement } from '../../../schemas/envelope.ts'
import { Recalled } from '../../../schemas/mind.ts'
import { MindWork, RetriedMindWork } from '../../../schemas/mind-work.ts'
import { ServiceError } from '../../../src/errors.ts'
import { recallOperation } from '../../../src/memory/operations.ts'
import { forgetMemoryOperation, forgetMindOperation } from '../../../src/memory/removal-operations.ts'
import { getMindWork, retryMindWork } from '../../../src/memory/work-operations.ts'
import { RecalledText } from '../customer/recalled-text.tsx'
import { exportOf } from '../memory-export.ts'
import { ForgetMind, NewestMemories } from '../minds.tsx'
import { FormError, LinkButton } from '../ui/form.tsx'
import { Card, EmptyState, Grid } from '../ui/layout.tsx'
import { errorAbove, run, type Tried, type Visit } from '../visit.ts'
import { answerPart, type CustomerVisit, type PartPages, parameter, visitCustomer } from './customer-page.tsx'
import { MindWorkCard } from './mind-work.tsx'
import { MemoryOff, mindsOf } from './minds.tsx'
import { customerPath } from './paths.ts'
import { counted } from './words.tsx'

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
  const minds = await mindsOf(visited)
  if (!minds)
    return answerPart(visited, { part: 'memory', tried, children: <MemoryOff customer={customer} /> })
  const mind = minds.find(({ mindId }) => mindId === place.mindId)
  if (!mind) throw new ServiceError('mind_not_found', 'This customer has no Mind with that id.')
  const below = (form: string) => customerPath(customer.id, 'memory', place.mindId, form)
  const told = await run(visited, recallOperation, Recalled, place)
  const worked = await run(visited, getMindWork, MindWork, place)
  return answerPart(visited, {
    part: 'memory',
    title: mind.name,
    above: [{ href: customerPath(customer.id, 'memory'), label: 'Memory' }],
    action: (
      <LinkButton kind="plain" href={below('export')} download>
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
