// Asking in the portal. The answer is the page itself: sent again, the same form is answered the same, and costs once.
import type { FC } from 'hono/jsx'
import type { z } from 'zod'
import { type Answered, Ask, REASONING_LEVELS, type ReasoningLevel } from '../../../schemas/mind.ts'
import type { Config } from '../../../src/config.ts'
import { say, type Text } from '../../../src/language/say.ts'
import { askOperation, listMindsOperation } from '../../../src/memory/operations.ts'
import { fromMicros } from '../../../src/money.ts'
import { mindName, mindOf } from '../belongings/minds.tsx'
import { asked, type FormState, typed } from '../form-state.ts'
import { linesOf, MAX_TEXT_BYTES } from '../forms.ts'
import { callOperation, type Page, type PageContext, showPage } from '../page-kit.tsx'
import { Select, TextArea } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Card, EmptyState, Prose } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { Credits, creditsText, Time } from '../ui/values.tsx'

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
  const question = asked(state, 'question', say('Question'))
  return showPage(
    context,
    {
      title: say('Ask the memory'),
      current: 'memory',
      breadcrumbs: [{ href: memory, label: say('Memory') }],
      state
    },
    <>
      {answer ? (
        <AnswerCard answer={answer} question={question.value} showsPrice={prices !== undefined} />
      ) : null}
      <Card title={answer ? say('Ask something else') : undefined}>
        <Form action={`${memory}/ask/answer`}>
          <TextArea
            {...question}
            value={answer ? undefined : question.value}
            required
            maxlength={Ask.shape.question.maxLength ?? undefined}
            placeholder={say('When may we call Ada?')}
          />
          {minds.length > 1 ? (
            <Select
              label={say('Part of the memory')}
              name="mind"
              value={typed(state, 'mind', mindId)}
              options={minds.map((mind) => ({ value: mind.mindId, label: mindName(mind) }))}
            />
          ) : null}
          <Select
            {...asked(state, 'reasoningLevel', say('How far to look'))}
            options={levelOptions(prices)}
            help={
              prices
                ? say('A level that adds nothing costs as Standard; no answer costs nothing.')
                : undefined
            }
          />
          <Submit>{say('Ask')}</Submit>
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
    title={say('Answer')}
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
      <EmptyState title={say('The memory holds nothing on that')}>
        {say('Ask in other words, look further with a higher level, or ask another part of the memory.')}
      </EmptyState>
    )}
    {found || sources.length > 0 ? (
      <>
        {degraded ? (
          <p>{say('Something is missing from this answer at the moment. Ask again later.')}</p>
        ) : null}
        {/* Without a model the answer is these very passages, the likeliest first. */}
        {model === null ? null : (
          <Prose>
            {answer.split(/\n+/).map((line) => (
              <p dir="auto">{line}</p>
            ))}
          </Prose>
        )}
        <Table
          caption={say('Passages')}
          columns={[say('What the memory holds on it, the likeliest first'), say('When')]}
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
  micros === 0 ? say('free') : creditsText(fromMicros(micros))

const LEVELS = {
  standard: 'Standard: the best passages',
  enhanced: 'Enhanced: more passages',
  deep: 'Deep: also what the first passages name'
} as const satisfies Record<ReasoningLevel, Text>

/** The levels to choose from, each with its price for those who pay it. */
const levelOptions = (prices: Config['creditPrices'] | undefined) =>
  REASONING_LEVELS.map((value) => {
    const level = say(LEVELS[value])
    return { value, label: prices ? `${level} (${priceText(prices.ask[value])})` : level }
  })
