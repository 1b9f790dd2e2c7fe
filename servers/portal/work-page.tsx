// Work on many records, one call each, on a page that fills as it goes: one that fails is told and stops no other. To load
// the page again sends the form again: what was done is answered as it was, and the rest goes on.
import { ServiceError, toServiceError } from '../../src/errors.ts'
import { createFairQueue } from '../../src/fair-queue.ts'
import { type PageContext, showPage } from './page-kit.tsx'
import { messageInWords } from './refusal-words.ts'
import { Card, Step, StepList } from './ui/layout.tsx'

export interface Task {
  label: string
  act: () => Promise<{ message?: unknown }>
}

/** Pages of a partner at once; each has its turn for one record. */
const MOST_PAGES = 3

const refusal = () =>
  new ServiceError('rate_limited', 'Wait until what you began before is done.', { retryAfterSeconds: 10 })

const turns = createFairQueue({ waitingPerTenant: MOST_PAGES, refusal })

const tenantOf = ({ c }: PageContext): string => c.get('consoleVisitor').caller.partnerId

/** Does it in the partner's turn. @throws ServiceError `rate_limited` where too much waits for that */
export const inTurn = <Of,>(context: PageContext, work: () => Promise<Of>): Promise<Of> =>
  turns.run(tenantOf(context), work, context.c.req.raw.signal)

/** Answers the page on which the tasks are done, as fast as it is read. @throws ServiceError `rate_limited` */
export async function workThrough(
  context: PageContext,
  shown: Parameters<typeof showPage>[1],
  tasks: readonly Task[]
): Promise<Response> {
  if (turns.count(tenantOf(context)) >= MOST_PAGES) throw refusal()
  const about = 'Leaving this page ends the work. Load it again to go on: nothing is done twice.'
  const list = <StepList steps={[]} />
  const answer = await showPage(context, shown, <Card description={about}>{list}</Card>)
  const html = await answer.text()
  const end = html.lastIndexOf('</ol>')
  async function* pieces() {
    yield html.slice(0, end)
    const failed: string[] = []
    for (const task of tasks) yield await done(context, task, failed)
    const label = `${tasks.length - failed.length} of ${tasks.length}`
    const detail = failed.length > 0 ? `Not done: ${failed.join(', ')}` : undefined
    yield String(<Step label={label} state={detail ? 'warned' : 'done'} detail={detail} />)
    yield html.slice(end)
  }
  // Proxies would otherwise hold back what they think too little to send.
  answer.headers.set('X-Accel-Buffering', 'no')
  return new Response(ReadableStream.from(pieces()).pipeThrough(new TextEncoderStream()), answer)
}

async function done(context: PageContext, { label, act }: Task, failed: string[]): Promise<string> {
  try {
    const { message } = await inTurn(context, act)
    return String(<Step label={label} state="done" detail={message === undefined ? '' : String(message)} />)
  } catch (error) {
    const { service, c } = context
    const told = toServiceError(error)
    if (told !== error) service.log.error('a task failed', { error, requestId: c.get('requestId') })
    failed.push(label)
    return String(<Step label={label} state="failed" detail={messageInWords(told)} />)
  }
}
