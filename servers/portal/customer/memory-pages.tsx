// Memory in the portal: its Minds, what they know, remembering, asking, forgetting, and taking it away.

import { type Context, Hono } from 'hono'
import type { Mind } from '../../../schemas/mind.ts'
import type { CreditPrices } from '../../../src/credits/prices.ts'
import { createMind, rememberOperation } from '../../../src/memory/operations.ts'
import { forgetMemoryOperation, forgetMindOperation } from '../../../src/memory/removal-operations.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import type { FormState } from '../form-state.ts'
import type { Form } from '../forms.ts'
import { exportOf } from '../memory-export.ts'
import { callOperation, redirectWith, submitForm } from '../page-kit.tsx'
import { askPages } from './ask-pages.tsx'
import { requireManager } from './guards.ts'
import { MindPage, MindsPage } from './mind-pages.tsx'
import { pricesFor, priceText } from './prices.ts'
import { mindOf, readMinds, readRecalled } from './reads.ts'
import { linesOf, MAX_TEXT_BYTES } from './typed-text.ts'

export function memoryPages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  const back = (c: Context<PageEnv>, path: string, text: string) =>
    redirectWith({ c, service }, `${c.get('site').base}/memory${path}`, text)

  async function showMind(
    c: Context<PageEnv>,
    minds: readonly Mind[],
    mind: Mind | undefined,
    state?: FormState
  ): Promise<Response> {
    const recalled = mind ? await readRecalled({ c, service }, mind.mindId) : undefined
    const shown = { c, minds, mind, recalled, prices: pricesFor(service, c), state }
    return page(c, <MindPage {...shown} />, state?.refusal?.status ?? 200)
  }

  app.get('/', async (c) => {
    const minds = await readMinds({ c, service })
    return showMind(c, minds, minds[0])
  })

  const remember = async (c: Context<PageEnv>, mindId: string | undefined): Promise<Response> => {
    requireManager(c.get('visitor'))
    const context = { c, service }
    const submission = {
      async act(form: Form) {
        const input = { mindId, content: linesOf(form, 'content'), occurredAt: dayOf(form) }
        const answer = await callOperation(context, rememberOperation, input, form)
        return back(c, `/minds/${answer.mindId}`, rememberedText(answer, pricesFor(service, c)))
      },
      async again(state: FormState) {
        const minds = await readMinds(context)
        return showMind(c, minds, mindId === undefined ? minds[0] : mindOf(minds, mindId), state)
      },
      maxBytes: MAX_TEXT_BYTES
    }
    return submitForm(context, submission)
  }
  app.post('/remember', (c) => remember(c, undefined))
  app.post('/minds/:mindId/remember', (c) => remember(c, c.req.param('mindId')))

  app.route('/ask', askPages(service))

  app.get('/minds', async (c) => page(c, <MindsPage c={c} minds={await readMinds({ c, service })} />))
  app.post('/minds/create', async (c) => {
    requireManager(c.get('visitor'))
    const context = { c, service }
    const submission = {
      async act(form: Form) {
        const input = { name: form.text('name'), description: form.text('description') }
        const { name, mindId } = await callOperation(context, createMind, input, form)
        return back(c, `/minds/${mindId}`, `The Mind “${name}” was created.`)
      },
      again: async (state: FormState) =>
        page(c, <MindsPage c={c} minds={await readMinds(context)} state={state} />, state.refusal?.status)
    }
    return submitForm(context, submission)
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
    await callOperation({ c, service }, forgetMindOperation, { mindId: c.req.param('mindId') })
    return back(c, '/minds', 'The Mind was forgotten, with all that was in it.')
  })
  app.post('/minds/:mindId/memories/:memoryId/forget', async (c) => {
    requireManager(c.get('visitor'))
    const { mindId, memoryId } = c.req.param()
    const input = { mindId, memoryId }
    const { message } = await callOperation({ c, service }, forgetMemoryOperation, input)
    return back(c, `/minds/${mindId}`, message)
  })
  return app
}

const _REMEMBER_LABELS = { content: 'What to remember', occurredAt: 'The day' }
const _CREATE_LABELS = { name: 'The name', description: 'The description' }

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
