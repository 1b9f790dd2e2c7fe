// Memory in the portal: its Minds, what they know, remembering, asking, forgetting, and taking it away.
import { type Context, Hono } from 'hono'
import { Acknowledgement } from '../../../schemas/envelope.ts'
import { Mind, Remembered } from '../../../schemas/mind.ts'
import type { CreditPrices } from '../../../src/credits/prices.ts'
import { createMind, rememberOperation } from '../../../src/memory/operations.ts'
import { forgetMemoryOperation, forgetMindOperation } from '../../../src/memory/removal-operations.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import type { Form } from '../forms.ts'
import { exportOf } from '../memory-export.ts'
import { done, run, submitted, type Tried } from '../visit.ts'
import { askPages } from './ask-pages.tsx'
import { requireManager } from './guards.ts'
import { MindPage, MindsPage } from './mind-pages.tsx'
import { pricesFor, priceText } from './prices.ts'
import { mindOf, readMinds, readRecalled } from './reads.ts'
import { refusedIn } from './refused.ts'
import { linesOf, MAX_TEXT_BYTES } from './typed-text.ts'

export function memoryPages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  const back = (c: Context<PageEnv>, path: string, text: string) =>
    done({ c, service }, `${c.get('site').base}/memory${path}`, text)

  async function showMind(
    c: Context<PageEnv>,
    minds: readonly Mind[],
    mind: Mind | undefined,
    tried?: Tried
  ): Promise<Response> {
    const recalled = mind ? await readRecalled({ c, service }, mind.mindId) : undefined
    const shown = { c, minds, mind, recalled, prices: pricesFor(service, c), tried }
    return page(c, <MindPage {...shown} />, tried?.refusal.status ?? 200)
  }

  app.get('/', async (c) => {
    const minds = await readMinds({ c, service })
    return showMind(c, minds, minds[0])
  })

  const remember = async (c: Context<PageEnv>, mindId: string | undefined): Promise<Response> => {
    requireManager(c.get('visitor'))
    const visit = { c, service }
    const submission = {
      async act(form: Form) {
        const input = { mindId, content: linesOf(form, 'content'), occurredAt: dayOf(form) }
        const answer = await run(visit, rememberOperation, Remembered, input, form)
        return back(c, `/minds/${answer.mindId}`, rememberedText(answer, pricesFor(service, c)))
      },
      async again(tried: Tried) {
        const minds = await readMinds(visit)
        return showMind(c, minds, mindId === undefined ? minds[0] : mindOf(minds, mindId), tried)
      },
      maxBytes: MAX_TEXT_BYTES
    }
    return submitted(visit, submission, refusedIn(REMEMBER_LABELS))
  }
  app.post('/remember', (c) => remember(c, undefined))
  app.post('/minds/:mindId/remember', (c) => remember(c, c.req.param('mindId')))

  app.route('/ask', askPages(service))

  app.get('/minds', async (c) => page(c, <MindsPage c={c} minds={await readMinds({ c, service })} />))
  app.post('/minds/create', async (c) => {
    requireManager(c.get('visitor'))
    const visit = { c, service }
    const submission = {
      async act(form: Form) {
        const input = { name: form.text('name'), description: form.text('description') }
        const { name, mindId } = await run(visit, createMind, Mind, input, form)
        return back(c, `/minds/${mindId}`, `The Mind “${name}” was created.`)
      },
      again: async (tried: Tried) =>
        page(c, <MindsPage c={c} minds={await readMinds(visit)} tried={tried} />, tried.refusal.status)
    }
    return submitted(visit, submission, refusedIn(CREATE_LABELS))
  })

  app.get('/minds/:mindId', async (c) => {
    const minds = await readMinds({ c, service })
    return showMind(c, minds, mindOf(minds, c.req.param('mindId')))
  })
  app.get('/minds/:mindId/export', (c) => {
    requireManager(c.get('visitor'))
    const mindId = c.req.param('mindId')
    return exportOf({ c, service }, { mindId }, mindId)
  })
  app.post('/minds/:mindId/forget', async (c) => {
    requireManager(c.get('visitor'))
    await run({ c, service }, forgetMindOperation, Acknowledgement, { mindId: c.req.param('mindId') })
    return back(c, '/minds', 'The Mind was forgotten, with all that was in it.')
  })
  app.post('/minds/:mindId/memories/:memoryId/forget', async (c) => {
    requireManager(c.get('visitor'))
    const { mindId, memoryId } = c.req.param()
    const input = { mindId, memoryId }
    const { message } = await run({ c, service }, forgetMemoryOperation, Acknowledgement, input)
    return back(c, `/minds/${mindId}`, message)
  })
  return app
}

const REMEMBER_LABELS = { content: 'What to remember', occurredAt: 'The day' }
const CREATE_LABELS = { name: 'The name', description: 'The description' }

/** Noon in UTC is that day nearly everywhere. Today is now: its noon may still be to come. */
function dayOf(form: Form): string | undefined {
  const day = form.text('occurredAt')
  if (day === undefined || day === new Date().toISOString().slice(0, 10)) return undefined
  return `${day}T12:00:00.000Z`
}

function rememberedText({ duplicate }: { duplicate: boolean }, prices: CreditPrices | undefined): string {
  if (duplicate) return 'These words were remembered within the last day already, and are kept once.'
  return prices ? `Remembered. It cost ${priceText(prices.remember)}.` : 'Remembered.'
}
