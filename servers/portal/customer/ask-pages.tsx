// Asking in the portal. The answer is the page itself: sent again, the same form is answered the same, and costs once.

import { type Context, Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { type Answered, Ask, type Mind } from '../../../schemas/mind.ts'
import type { CreditPrices } from '../../../src/credits/prices.ts'
import { NOTHING_FOUND } from '../../../src/memory/engine.ts'
import { askOperation } from '../../../src/memory/operations.ts'
import type { Service } from '../../../src/service.ts'
import { page } from '../answer.tsx'
import type { PageEnv } from '../env.ts'
import { asked, type FormState, typed } from '../form-state.ts'
import type { Form as SentForm } from '../forms.ts'
import { PortalPage } from '../frames.tsx'
import { callOperation, submitForm } from '../page-kit.tsx'
import { Select, TextArea } from '../ui/field.tsx'
import { Form, FormError, Submit } from '../ui/form.tsx'
import { Card, EmptyState, Prose, Stack } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { Credits, Time } from '../ui/values.tsx'
import { levelOptions, pricesFor } from './prices.ts'
import { mindOf, readMinds } from './reads.ts'
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
    const context = { c, service }
    const show = async (filled: FormState, answer?: Answer): Promise<Response> => {
      const shown = { c, minds: await readMinds(context), prices: pricesFor(service, c), filled, answer }
      return page(c, <AskPage {...shown} />, filled.refusal?.status ?? 200)
    }
    const submission = {
      async act(form: SentForm) {
        const input = {
          mindId: form.text('mind'),
          question: linesOf(form, 'question'),
          reasoningLevel: form.text('reasoningLevel')
        }
        return show({ values: form.values }, await callOperation(context, askOperation, input, form))
      },
      again: (state: FormState) => show(state),
      maxBytes: MAX_TEXT_BYTES
    }
    return submitForm(context, submission)
  })
  return app
}

const _ASK_LABELS = { question: 'The question', reasoningLevel: 'How far to look' }

// A question to a Mind, and what it holds on it.
type Answer = z.output<typeof Answered>

interface AskPageProps {
  c: Context<PageEnv>
  minds: readonly Mind[]
  /** Absent where the customer doesn't pay by credits of its own. */
  prices: CreditPrices | undefined
  /** The form as it was sent, or as a link fills it in. */
  filled: FormState
  answer?: Answer | undefined
}

const AskPage: FC<AskPageProps> = ({ c, minds, prices, filled, answer }) => {
  const { base } = c.get('site')
  const question = asked(filled, 'question', 'Question')
  return (
    <PortalPage
      c={c}
      title="Ask the memory"
      current="memory"
      breadcrumbs={[{ href: `${base}/memory`, label: 'Memory' }]}
    >
      <Stack>
        {answer ? (
          <AnswerCard answer={answer} question={question.value} showsPrice={prices !== undefined} />
        ) : null}
        <Card title={answer ? 'Ask something else' : undefined}>
          <Form action={`${base}/memory/ask/answer`}>
            <FormError refusal={filled.refusal} />
            <TextArea
              {...question}
              value={answer ? undefined : question.value}
              required
              maxlength={Ask.shape.question.maxLength ?? undefined}
              placeholder="When may we call Ada?"
            />
            {minds.length > 1 ? (
              <Select
                label="Mind"
                name="mind"
                value={typed(filled, 'mind')}
                options={minds.map(({ mindId, name }) => ({ value: mindId, label: name }))}
              />
            ) : null}
            <Select
              {...asked(filled, 'reasoningLevel', 'How far to look')}
              options={levelOptions(prices)}
              help={prices ? 'A question that the memory holds nothing on costs as any other.' : undefined}
            />
            <Submit>Ask</Submit>
          </Form>
        </Card>
      </Stack>
    </PortalPage>
  )
}

const AnswerCard: FC<{ answer: Answer; question: string; showsPrice: boolean }> = ({
  answer: { answer, sources, model, degraded, credits },
  question,
  showsPrice
}) => (
  <Card
    title="Answer"
    description={
      <>
        <bdi>{question}</bdi>
        {showsPrice ? (
          <>
            {' '}
            · <Credits amount={credits} />
          </>
        ) : null}
      </>
    }
  >
    {answer === NOTHING_FOUND ? (
      <EmptyState title="The memory holds nothing on that">
        Ask in other words, look further with a higher level, or ask another Mind.
      </EmptyState>
    ) : (
      <>
        {degraded ? <p>Something is missing from this answer at the moment. Ask again later.</p> : null}
        {/* Without a model the answer is these very passages, the likeliest first. */}
        {model === null ? null : (
          <Prose>
            {answer.split(/\n+/).map((line) => (
              <p dir="auto">{line}</p>
            ))}
          </Prose>
        )}
        <Table
          caption="Passages"
          columns={['What the memory holds on it, the likeliest first', 'When']}
          rows={sources.map(({ memoryId, excerpt, occurredAt }) => ({
            key: memoryId,
            cells: [<q dir="auto">{excerpt}</q>, <Time iso={occurredAt} />]
          }))}
          empty={null}
        />
      </>
    )}
  </Card>
)
