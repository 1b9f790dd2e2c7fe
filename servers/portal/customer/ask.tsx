// Asking in the portal. The answer is the page itself: sent again, the same form is answered the same, and costs once.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { type Answered, Ask, REASONING_LEVELS, type ReasoningLevel } from '../../../schemas/mind.ts'
import type { Config } from '../../../src/config.ts'
import { askOperation, listMindsOperation } from '../../../src/memory/operations.ts'
import { fromMicros } from '../../../src/money.ts'
import { mindOf } from '../belongings/minds.tsx'
import { asked, type FormState, typed } from '../form-state.ts'
import { linesOf, MAX_TEXT_BYTES } from '../forms.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Select, TextArea } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card, EmptyState, Prose } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { Credits, counted, Time } from '../ui/values.tsx'

type Answer = z.output<typeof Answered>

export const askPage: Page = {
  show: (context, state) => showAsk(context, state),
  forms: {
    async answer(context, form) {
      const input = {
        mindId: form.text('mind'),
        question: linesOf(form, 'question'),
        reasoningLevel: form.text('reasoningLevel')
      }
      const answer = await callOperation(context, askOperation, input, form)
      return showAsk(context, { values: form.values }, answer)
    }
  },
  maxBytes: MAX_TEXT_BYTES
}

async function showAsk(context: PageContext, state?: FormState, answer?: Answer): Promise<Response> {
  const { c } = context
  const { minds } = await callOperation(context, listMindsOperation)
  // A link may ask for one of them.
  const wanted = c.req.query('mind')
  const mindId = wanted === undefined ? undefined : mindOf(minds, wanted).mindId
  const prices = pricesFor(context)
  const memory = `${c.get('portal').base}/memory`
  const question = asked(state, 'question', 'Question')
  return showPage(
    context,
    { title: 'Ask the memory', current: 'memory', breadcrumbs: [{ href: memory, label: 'Memory' }], state },
    <>
      {answer ? (
        <AnswerCard answer={answer} question={question.value} showsPrice={prices !== undefined} />
      ) : null}
      <Card title={answer ? 'Ask something else' : undefined}>
        <Form action={`${memory}/ask/answer`}>
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
              value={typed(state, 'mind', mindId)}
              options={minds.map(({ mindId, name }) => ({ value: mindId, label: name }))}
            />
          ) : null}
          <Select
            {...asked(state, 'reasoningLevel', 'How far to look')}
            options={levelOptions(prices)}
            help={
              prices ? 'A level that adds nothing costs as Standard; no answer costs nothing.' : undefined
            }
          />
          <Submit>Ask</Submit>
        </Form>
      </Card>
    </>
  )
}

const AnswerCard: FC<{ answer: Answer; question: string; showsPrice: boolean }> = ({
  answer: { answer, sources, found, model, degraded, credits },
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
    {found ? null : (
      <EmptyState title="The memory holds nothing on that">
        Ask in other words, look further with a higher level, or ask another Mind.
      </EmptyState>
    )}
    {found || sources.length > 0 ? (
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
          rows={sources.map(({ excerpt, occurredAt }) => ({
            cells: [<q dir="auto">{excerpt}</q>, <Time iso={occurredAt} />]
          }))}
        />
      </>
    ) : null}
  </Card>
)

/** What memory costs this customer; nothing to show where it has no credits of its own. */
export const pricesFor = ({ c, service }: PageContext): Config['creditPrices'] | undefined =>
  c.get('visitor').features.hasCredits ? service.config.creditPrices : undefined

/** “1 credit”, “0.5 credits”, “free”. */
export const priceText = (micros: number): string =>
  micros === 0 ? 'free' : counted(fromMicros(micros), 'credit')

const LEVELS: Record<ReasoningLevel, string> = {
  standard: 'Standard: the best passages',
  enhanced: 'Enhanced: more passages',
  deep: 'Deep: also what the first passages name'
}

/** The levels to choose from, each with its price for those who pay it. */
const levelOptions = (prices: Config['creditPrices'] | undefined) =>
  REASONING_LEVELS.map((value) => ({
    value,
    label: prices ? `${LEVELS[value]} (${priceText(prices.ask[value])})` : LEVELS[value]
  }))
