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
import { flash } from '../flash.ts'
import { type Form, readForm } from '../forms.ts'
import { perform } from '../perform.ts'
import { askPages } from './ask-pages.tsx'
import { requireManager } from './guards.ts'
import { exportOf } from './memory-export.ts'
import { type MindRecord, mindOf, readMinds, readRecalled } from './memory-reads.ts'
import { MindPage } from './mind-page.tsx'
import { MindsPage } from './minds-page.tsx'
import { pricesFor, priceText } from './prices.ts'
import { tried } from './refused.ts'
import { linesOf, MAX_TEXT_BYTES } from './typed-text.ts'

export function memoryPages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()
  const back = (c: Context<PageEnv>, path: string) => c.redirect(`${c.get('site').base}/memory${path}`, 303)

  async function showMind(
    c: Context<PageEnv>,
    minds: readonly MindRecord[],
    mind: MindRecord | undefined,
    refused?: Pick<Parameters<typeof MindPage>[0], 'values' | 'refusal'>
  ): Promise<Response> {
    const recalled = mind ? await readRecalled(service, c, mind.mindId) : undefined
    const shown = { c, minds, mind, recalled, prices: pricesFor(service, c), ...refused }
    return page(c, <MindPage {...shown} />, refused?.refusal?.status ?? 200)
  }

  app.get('/', async (c) => {
    const minds = await readMinds(service, c)
    return showMind(c, minds, minds[0])
  })

  const remember = async (c: Context<PageEnv>, mindId: string | undefined): Promise<Response> => {
    requireManager(c.get('visitor'))
    const form = await readForm(c, { maxBytes: MAX_TEXT_BYTES })
    const { caller, customerId } = c.get('visitor')
    const { answer, refusal } = await tried(c, REMEMBER_LABELS, () =>
      perform(service, c, rememberOperation, {
        caller,
        input: { customerId, mindId, content: linesOf(form, 'content'), occurredAt: dayOf(form) },
        output: Remembered,
        idempotencyKey: form.raw('idempotencyKey') || undefined
      })
    )
    if (refusal) {
      const minds = await readMinds(service, c)
      const mind = mindId === undefined ? minds[0] : mindOf(minds, mindId)
      return showMind(c, minds, mind, { values: form.values, refusal })
    }
    flash(c, service, { kind: 'good', text: rememberedText(answer, pricesFor(service, c)) })
    return back(c, `/minds/${answer.mindId}`)
  }
  app.post('/remember', (c) => remember(c, undefined))
  app.post('/minds/:mindId/remember', (c) => remember(c, c.req.param('mindId')))

  app.route('/ask', askPages(service))

  app.get('/minds', async (c) => page(c, <MindsPage c={c} minds={await readMinds(service, c)} />))
  app.post('/minds/create', async (c) => {
    requireManager(c.get('visitor'))
    const form = await readForm(c)
    const { caller, customerId } = c.get('visitor')
    const { answer, refusal } = await tried(c, CREATE_LABELS, () =>
      perform(service, c, createMind, {
        caller,
        input: { customerId, name: form.text('name'), description: form.text('description') },
        output: Mind,
        idempotencyKey: form.raw('idempotencyKey') || undefined
      })
    )
    if (refusal) {
      const minds = await readMinds(service, c)
      return page(c, <MindsPage c={c} minds={minds} values={form.values} refusal={refusal} />, refusal.status)
    }
    flash(c, service, { kind: 'good', text: `The Mind “${answer.name}” was created.` })
    return back(c, `/minds/${answer.mindId}`)
  })

  app.get('/minds/:mindId', async (c) => {
    const minds = await readMinds(service, c)
    return showMind(c, minds, mindOf(minds, c.req.param('mindId')))
  })
  app.get('/minds/:mindId/export', (c) => {
    requireManager(c.get('visitor'))
    return exportOf(service, c, c.req.param('mindId'))
  })
  app.post('/minds/:mindId/forget', async (c) => {
    requireManager(c.get('visitor'))
    const { caller, customerId } = c.get('visitor')
    const input = { customerId, mindId: c.req.param('mindId') }
    await perform(service, c, forgetMindOperation, { caller, input, output: Acknowledgement })
    flash(c, service, { kind: 'good', text: 'The Mind was forgotten, with all that was in it.' })
    return back(c, '/minds')
  })
  app.post('/minds/:mindId/memories/:memoryId/forget', async (c) => {
    requireManager(c.get('visitor'))
    const { caller, customerId } = c.get('visitor')
    const { mindId, memoryId } = c.req.param()
    const input = { customerId, mindId, memoryId }
    const { message } = await perform(service, c, forgetMemoryOperation, {
      caller,
      input,
      output: Acknowledgement
    })
    flash(c, service, { kind: 'good', text: message })
    return back(c, `/minds/${mindId}`)
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
