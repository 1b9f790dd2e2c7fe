// Asking in the portal. The answer is the page itself: sent again, the same form is answered the same, and costs once.
import { Hono } from 'hono'
import { Answered } from '../../../schemas/mind.ts'
import { askOperation } from '../../../src/memory/operations.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import { readForm } from '../forms.ts'
import { perform } from '../perform.ts'
import { AskPage } from './ask-page.tsx'
import { mindOf, readMinds } from './memory-reads.ts'
import { pricesFor } from './prices.ts'
import { tried } from './refused.ts'
import { linesOf, MAX_TEXT_BYTES } from './typed-text.ts'

export function askPages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()

  app.get('/', async (c) => {
    const minds = await readMinds(service, c)
    const mind = c.req.query('mind')
    const values = mind === undefined ? {} : { mind: mindOf(minds, mind).mindId }
    return page(c, <AskPage c={c} minds={minds} prices={pricesFor(service, c)} values={values} />)
  })
  app.post('/answer', async (c) => {
    const form = await readForm(c, { maxBytes: MAX_TEXT_BYTES })
    const { caller, customerId } = c.get('visitor')
    const { answer, refusal } = await tried(c, ASK_LABELS, () =>
      perform(service, c, askOperation, {
        caller,
        input: {
          customerId,
          mindId: form.text('mind'),
          question: linesOf(form, 'question'),
          reasoningLevel: form.text('reasoningLevel')
        },
        output: Answered,
        idempotencyKey: form.raw('idempotencyKey') || undefined
      })
    )
    const minds = await readMinds(service, c)
    const shown = { c, minds, prices: pricesFor(service, c), values: form.values, answer, refusal }
    return page(c, <AskPage {...shown} />, refusal?.status ?? 200)
  })
  return app
}

const ASK_LABELS = { question: 'The question', reasoningLevel: 'How far to look' }
