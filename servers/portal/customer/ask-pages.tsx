// Asking in the portal. The answer is the page itself: sent again, the same form is answered the same, and costs once.
import { Hono } from 'hono'
import { Answered } from '../../../schemas/mind.ts'
import { askOperation } from '../../../src/memory/operations.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import type { Form } from '../forms.ts'
import { type Filled, run, submitted, type Tried } from '../visit.ts'
import { type Answer, AskPage } from './ask-page.tsx'
import { mindOf, readMinds } from './memory-reads.ts'
import { pricesFor } from './prices.ts'
import { refusedIn } from './refused.ts'
import { linesOf, MAX_TEXT_BYTES } from './typed-text.ts'

export function askPages(service: Service): Hono<PageEnv> {
  const app = new Hono<PageEnv>()

  app.get('/', async (c) => {
    const minds = await readMinds({ c, service })
    const mind = c.req.query('mind')
    const filled = { values: mind === undefined ? {} : { mind: mindOf(minds, mind).mindId } }
    return page(c, <AskPage c={c} minds={minds} prices={pricesFor(service, c)} filled={filled} />)
  })
  app.post('/answer', (c) => {
    const visit = { c, service }
    const show = async (filled: Filled, answer?: Answer): Promise<Response> => {
      const shown = { c, minds: await readMinds(visit), prices: pricesFor(service, c), filled, answer }
      return page(c, <AskPage {...shown} />, filled.refusal?.status ?? 200)
    }
    const submission = {
      async act(form: Form) {
        const input = {
          mindId: form.text('mind'),
          question: linesOf(form, 'question'),
          reasoningLevel: form.text('reasoningLevel')
        }
        return show({ values: form.values }, await run(visit, askOperation, Answered, input, form))
      },
      again: (tried: Tried) => show(tried),
      maxBytes: MAX_TEXT_BYTES
    }
    return submitted(visit, submission, refusedIn(ASK_LABELS))
  })
  return app
}

const ASK_LABELS = { question: 'The question', reasoningLevel: 'How far to look' }
