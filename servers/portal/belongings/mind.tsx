// One Mind in the console: what is known, what was told last, taking it out and forgetting; and what the portal shares.
import type { FC } from 'hono/jsx'
import type { Mind, Recalled } from '../../../schemas/mind.ts'
import { ServiceError } from '../../../src/errors.ts'
import {
  exportMind,
  forgetMemoryOperation,
  forgetMindOperation,
  recallOperation
} from '../../../src/memory/operations.ts'
import { getMindWork, retryMindWork } from '../../../src/memory/work-operations.ts'
import { answerPart, type CustomerContext, parameter } from '../console-customers/customer-page.tsx'
import { customerPath } from '../console-customers/words.tsx'
import { downloadLines } from '../download.ts'
import type { FormState } from '../form-state.ts'
import { callOperation, type Page } from '../page-kit.tsx'
import { ConfirmButton, LinkButton } from '../ui/form.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { counted, Time } from '../ui/values.tsx'
import { MindWorkCard } from './mind-work.tsx'
import { MemoryOff, mindsOf } from './minds.tsx'
import { RecalledSections, sectionsOf } from './recalled-text.tsx'
import { namedBy, StoredText } from './stored-text.tsx'

export const consoleMind: Page<CustomerContext> = {
  show: answerMind,
  forms: {
    'forget-memory': (context, form) =>
      callOperation(context, forgetMemoryOperation, {
        mindId: parameter(context, 'mindId'),
        memoryId: form.raw('memoryId')
      }),
    async forget(context) {
      const mindId = parameter(context, 'mindId')
      const { message } = await callOperation(context, forgetMindOperation, { mindId })
      return { message, next: customerPath(context.customer.id, 'memory') }
    },
    retry: (context) => callOperation(context, retryMindWork, { mindId: parameter(context, 'mindId') })
  }
}

export function downloadMind(context: CustomerContext): Promise<Response> {
  const mindId = parameter(context, 'mindId')
  const name = `${context.customer.customerId}-${mindId}`
  return downloadLines(context, exportMind, { mindId }, { name })
}

async function answerMind(context: CustomerContext, state?: FormState): Promise<Response> {
  const { customer } = context
  const mindId = parameter(context, 'mindId')
  const minds = await mindsOf(context)
  if (!minds)
    return answerPart(context, { part: 'memory', state, children: <MemoryOff customer={customer} /> })
  const mind = minds.find((one) => one.mindId === mindId)
  if (!mind) throw new ServiceError('mind_not_found')
  const below = (form: string) => customerPath(customer.id, 'memory', mindId, form)
  const told = await callOperation(context, recallOperation, { mindId })
  const worked = await callOperation(context, getMindWork, { mindId })
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
        <Known {...told} />
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

/** What a Mind's profile and snapshot say. */
export const Known: FC<Recalled> = ({ profile, snapshot, degraded }) => {
  // What was told last stands below, whole.
  const changes = sectionsOf(snapshot).filter(({ heading }) => heading !== 'Told last')
  return (
    <>
      {degraded ? (
        <Card
          title="Something is missing at the moment"
          description="What is shown here is true, but not all that is known. Look again later."
        />
      ) : null}
      <Card title="Profile" description="What holds, as agents are told before a conversation.">
        {profile === '' ? (
          <EmptyState title="No facts yet">
            Facts such as names, places and preferences are read from what is remembered.
          </EmptyState>
        ) : (
          <RecalledSections sections={sectionsOf(profile)} />
        )}
      </Card>
      {changes.length === 0 ? null : (
        <Card title="Snapshot" description="What changed lately.">
          <RecalledSections sections={changes} />
        </Card>
      )}
    </>
  )
}

/** What a Mind was told last, each with a way to forget it for those who may. */
export const NewestMemories: FC<{
  description: string
  messages: Recalled['messages']
  forgetting: ((memoryId: string) => { action: string; fields?: Record<string, string> }) | undefined
  whenNone: string
}> = ({ description, messages, forgetting, whenNone }) => (
  <Card title="Newest memories" description={description}>
    <Table
      caption="Newest memories"
      columns={['Memory', 'When', ...(forgetting ? [{ title: 'Actions', hidden: true }] : [])]}
      rows={messages.map(({ id, content, occurredAt }) => ({
        cells: [
          <StoredText text={content} />,
          <Time iso={occurredAt} />,
          forgetting && (
            <ConfirmButton
              label="Forget"
              title="Forget this memory?"
              text={
                <>
                  <p dir="auto">{namedBy(content)}</p>
                  <p>It is deleted for good, with every fact that was read from it.</p>
                </>
              }
              {...forgetting(id)}
              confirmLabel="Forget it"
            />
          )
        ]
      }))}
      empty={{ title: 'Nothing is remembered yet', text: whenNone }}
    />
  </Card>
)

export const ForgetMind: FC<{ mind: Mind; action: string }> = ({ mind, action }) => (
  <Card
    tone="danger"
    title="Forget this Mind"
    description={
      mind.isPrimary
        ? 'Deletes every memory in it for good. The primary Mind is made anew, and empty, on next use.'
        : 'Deletes the Mind and every memory in it for good.'
    }
    action={
      <ConfirmButton
        label="Forget this Mind"
        title={`Forget the Mind ${namedBy(mind.name)}?`}
        text={`${counted(mind.memoryCount, 'memory is', 'memories are')} deleted for good. Download them first if they may be needed.`}
        action={action}
        confirmLabel="Forget the Mind"
      />
    }
  />
)
