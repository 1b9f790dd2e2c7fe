// One Mind in the console: what is known, what was told last, taking it out and forgetting; and what the portal shares.
import type { FC } from 'hono/jsx'
import type { Mind, Recalled } from '../../../schemas/mind.ts'
import { ServiceError } from '../../../src/errors.ts'
import { say } from '../../../src/language/say.ts'
import {
  exportMind,
  forgetMindOperation,
  listMindsOperation,
  recallOperation
} from '../../../src/memory/operations.ts'
import { forgetWithUndo, undoForgetting } from '../../../src/memory/undo.ts'
import { getMindWork, retryMindWork } from '../../../src/memory/work-operations.ts'
import { answerPart, type CustomerContext } from '../console-customers/customer-page.tsx'
import { downloadLines } from '../download.ts'
import type { FormState } from '../form-state.ts'
import { MAX_TEXT_BYTES } from '../forms.ts'
import { type Acts, callOperation, type Page, type PageContext } from '../page-kit.tsx'
import { ConfirmButton, PlainLink } from '../ui/form.tsx'
import { Card, EmptyState } from '../ui/layout.tsx'
import { counted } from '../ui/values.tsx'
import { isOnList, MemoryTable, placeOf, showMemories } from './memories.tsx'
import { MindWorkCard } from './mind-work.tsx'
import { mindName, mindsPath, orMemoryOff } from './minds.tsx'
import { RecalledSections, sectionsOf } from './recalled-text.tsx'
import { namedBy } from './stored-text.tsx'

/** What both sites' pages of a Mind take; the Mind's address is in theirs. */
export const forgettingOn = <Of extends PageContext>(show: Page<Of>['show']): Acts<Of> => ({
  async forget(context) {
    await callOperation(context, forgetMindOperation, context.c.req.param())
    return { message: say('It was forgotten, with all that was in it.'), next: mindsPath(context) }
  },
  // The page itself answers, and has the memory with it: a redirect could carry it only in a cookie, which holds little.
  async 'memories/:memoryId/forget'(context) {
    const { mindId = '', memoryId } = context.c.req.param()
    const { undo: sealed } = await callOperation(context, forgetWithUndo, { mindId, memoryId })
    const action = mindsPath(context, mindId, `undo${new URL(context.c.req.url).search}`)
    const undo = { action, sealed, pageAddress: placeOf(context) }
    context.c.set('flash', { kind: 'good', text: say('The memory was forgotten.'), undo })
    return isOnList(context) ? showMemories(context) : show(context)
  },
  async undo(context, form) {
    const input = { ...context.c.req.param(), undo: form.raw('undo') }
    await callOperation(context, undoForgetting, input, form)
    return { message: say('It is remembered again.'), next: placeOf(context) }
  }
})

const showConsoleMind = orMemoryOff(answerMind)

export const consoleMind: Page<CustomerContext> = {
  show: showConsoleMind,
  forms: {
    ...forgettingOn(showConsoleMind),
    retry: (context) => callOperation(context, retryMindWork, context.c.req.param())
  },
  maxBytes: MAX_TEXT_BYTES
}

export function downloadMind(context: PageContext): Promise<Response> {
  const { mindId = '' } = context.c.req.param()
  const name = context.customer ? `${context.customer.customerId}-${mindId}` : mindId
  return downloadLines(context, exportMind, { mindId }, { name })
}

async function answerMind(context: CustomerContext, state?: FormState): Promise<Response> {
  const { mindId = '' } = context.c.req.param()
  const { minds } = await callOperation(context, listMindsOperation)
  const mind = minds.find((one) => one.mindId === mindId)
  if (!mind) throw new ServiceError('mind_not_found')
  const here = mindsPath(context, mindId)
  const told = await callOperation(context, recallOperation, { mindId })
  const worked = await callOperation(context, getMindWork, { mindId })
  return answerPart(context, {
    part: 'memory',
    title: mind.name,
    above: [{ href: mindsPath(context), label: 'Memory' }],
    action: (
      <PlainLink href={`${here}/export`} download>
        Download all
      </PlainLink>
    ),
    state,
    children: (
      <>
        <Known {...told} />
        <NewestMemories
          description={`The newest ${told.messages.length} of ${counted(mind.memoryCount, 'memory', 'memories')}.`}
          messages={told.messages}
          whenNone="What agents remember for this customer is listed here."
          at={here}
          mayForget
        />
        <MindWorkCard {...worked} action={`${here}/retry`} />
        <ForgetMind mind={mind} at={here} />
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
          title={say('Something is missing at the moment')}
          description={say('What is shown here is true, but not all that is known. Look again later.')}
        />
      ) : null}
      <Card title={say('Profile')} description={say('What holds, as agents are told before a conversation.')}>
        {profile === '' ? (
          <EmptyState title={say('No facts yet')}>
            {say('Facts such as names, places and preferences are read from what is remembered.')}
          </EmptyState>
        ) : (
          <RecalledSections sections={sectionsOf(profile)} />
        )}
      </Card>
      {changes.length === 0 ? null : (
        <Card title={say('Snapshot')} description={say('What changed lately.')}>
          <RecalledSections sections={changes} />
        </Card>
      )}
    </>
  )
}

/** What a Mind was told last, and the way to all the rest. */
export const NewestMemories: FC<{
  description: string
  messages: Recalled['messages']
  whenNone: string
  /** The Mind's address. */
  at: string
  mayForget: boolean
}> = ({ description, messages, whenNone, at, mayForget }) => (
  <Card
    title={say('Newest memories')}
    description={description}
    action={messages.length > 0 && <PlainLink href={`${at}/memories`}>{say('All memories')}</PlainLink>}
  >
    <MemoryTable
      caption={say('Newest memories')}
      memories={messages}
      forgetAt={mayForget ? at : undefined}
      empty={{ title: say('Nothing is remembered yet'), text: whenNone }}
    />
  </Card>
)

export const ForgetMind: FC<{ mind: Mind; at: string }> = ({ mind, at }) => (
  <Card
    tone="danger"
    title={say('Forget all of it')}
    sendsTo={`${at}/forget`}
    description={
      mind.isPrimary
        ? say('Deletes every memory in it for good. It is there again, and empty, on next use.')
        : say('Deletes this part of the memory for good, with all that is in it.')
    }
    action={
      <ConfirmButton
        label={say('Forget all of it')}
        title={say('Forget all of {name}?', { name: namedBy(mindName(mind)) })}
        text={say(
          '{count, plural, one {# memory is deleted for good.} other {# memories are deleted for good.}} Download them first if they may be needed.',
          { count: mind.memoryCount }
        )}
        action={`${at}/forget`}
        confirmLabel={say('Forget all of it')}
      />
    }
  />
)
