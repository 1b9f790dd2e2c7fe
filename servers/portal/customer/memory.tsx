import type { FC } from 'hono/jsx'
import { MAX_CONTENT_LENGTH, type Mind } from '../../../schemas/mind.ts'
import type { Config } from '../../../src/config.ts'
import { say } from '../../../src/language/say.ts'
import { listMindsOperation, recallOperation, rememberOperation } from '../../../src/memory/operations.ts'
import { showMemories } from '../belongings/memories.tsx'
import { downloadMind, ForgetMind, forgettingOn, Known, NewestMemories } from '../belongings/mind.tsx'
import { mindName, mindOf, mindsPath, portalMinds } from '../belongings/minds.tsx'
import { asked, type FormState } from '../form-state.ts'
import { linesOf, MAX_TEXT_BYTES, type Form as SentForm } from '../forms.ts'
import { callOperation, type Page, showPage } from '../page-kit.tsx'
import { withQuery } from '../settings/address.ts'
import { Field, TextArea } from '../ui/field.tsx'
import { Form, LinkButton, PlainLink, Submit } from '../ui/form.tsx'
import { Card, Prose, Tabs } from '../ui/layout.tsx'
import { SearchBar } from '../ui/search.tsx'
import { decimal } from '../ui/values.tsx'
import { askPage, pricesFor, priceText } from './ask.tsx'
import { isManager } from './menu.ts'

/** The Mind that the address names, else the primary one. */
const mindPage: Page = {
  async show(context, state) {
    const { minds } = await callOperation(context, listMindsOperation)
    const mindId = context.c.req.param('mindId')
    const mind = mindId === undefined ? minds[0] : mindOf(minds, mindId)
    const recalled = mind && (await callOperation(context, recallOperation, { mindId: mind.mindId }))
    const { base } = context.c.get('portal')
    const canManage = isManager(context.c.get('visitor'))
    const here = mind ? mindsPath(context, mind.mindId) : `${base}/memory`
    const asking = withQuery(`${base}/memory/ask`, { mind: mind?.mindId })
    const acts = [
      canManage && <PlainLink href="#remember">{say('Remember something')}</PlainLink>,
      <LinkButton href={asking}>{say('Ask a question')}</LinkButton>
    ]
    const form = canManage && (
      <RememberForm action={`${here}/remember`} prices={pricesFor(context)} state={state} />
    )
    const tabs = <MindTabs base={base} minds={minds} current={mind?.mindId} />
    return showPage(
      context,
      { title: say('Memory'), current: 'memory', action: acts, tabs, state },
      <>
        {mind?.description ? (
          <Prose>
            <p dir="auto">{mind.description}</p>
          </Prose>
        ) : null}
        {/* One that was refused stands where the page begins. */}
        {state?.refusal ? form : null}
        {mind ? (
          <SearchBar name="query" placeholder={say('Words or a question')} action={`${here}/memories`} />
        ) : null}
        {recalled ? <Known {...recalled} /> : null}
        <NewestMemories
          description={say('The last 20, newest first.')}
          messages={recalled?.messages ?? []}
          whenNone={
            canManage
              ? say('What your agents remember shows here. Write a first memory below, or connect an agent.')
              : say('What your agents remember shows here.')
          }
          at={here}
          mayForget={canManage}
        />
        {state?.refusal ? null : form}
        {mind && canManage ? (
          <>
            <Card
              title={say('Export')}
              description={say('Every memory in the order in which it was told, one JSON object a line.')}
              action={
                <PlainLink href={`${here}/export`} download>
                  {say('Download')}
                </PlainLink>
              }
            />
            <ForgetMind mind={mind} at={here} />
          </>
        ) : null}
      </>
    )
  },
  forms: {
    async remember(context, form) {
      const mindId = context.c.req.param('mindId')
      const input = { mindId, content: linesOf(form, 'content'), occurredAt: dayOf(form) }
      const answer = await callOperation(context, rememberOperation, input, form)
      const message = rememberedText(answer, pricesFor(context))
      return { message, next: mindsPath(context, answer.mindId) }
    }
  },
  maxBytes: MAX_TEXT_BYTES
}

export const memoryPages = {
  '/memory': mindPage,
  '/memory/ask': askPage,
  '/memory/minds': portalMinds,
  '/memory/minds/:mindId': { ...mindPage, forms: { ...mindPage.forms, ...forgettingOn(mindPage.show) } },
  '/memory/minds/:mindId/memories': showMemories,
  '/memory/minds/:mindId/export': downloadMind
}

const MAX_TABS = 4

const MindTabs: FC<{ base: string; minds: readonly Mind[]; current: string | undefined }> = ({
  base,
  minds,
  current
}) => {
  const shown = minds.filter(({ mindId }, index) => index < MAX_TABS || mindId === current)
  return (
    <Tabs
      label={say('Parts of the memory')}
      items={[
        ...shown.map((mind) => ({
          href: `${base}/memory/minds/${mind.mindId}`,
          label: mindName(mind),
          current: mind.mindId === current
        })),
        {
          href: `${base}/memory/minds`,
          label: say('All parts ({count})', { count: decimal(minds.length) }),
          current: false
        }
      ]}
    />
  )
}

const RememberForm: FC<{
  action: string
  prices: Config['creditPrices'] | undefined
  state: FormState | undefined
}> = ({ action, prices, state }) => (
  <Card
    title={say('Remember something')}
    description={prices ? say('Costs: {price}.', { price: priceText(prices.remember) }) : undefined}
  >
    <Form action={action} id="remember">
      <TextArea
        {...asked(state, 'content', say('What to remember'))}
        required
        maxlength={MAX_CONTENT_LENGTH}
        help={say(
          'In words that stand on their own. Begin with “Name: ” to say who said it. No passwords or keys.'
        )}
      />
      <Field
        {...asked(state, 'occurredAt', say('Day it happened'))}
        type="date"
        help={say('Today, if left empty.')}
      />
      <Submit>{say('Remember')}</Submit>
    </Form>
  </Card>
)

/** Noon in UTC is that day nearly everywhere. Today is now: its noon may still be to come. */
function dayOf(form: SentForm): string | undefined {
  const day = form.text('occurredAt')
  if (day === undefined || day === new Date().toISOString().slice(0, 10)) return undefined
  return `${day}T12:00:00.000Z`
}

function rememberedText(
  { duplicate }: { duplicate: boolean },
  prices: Config['creditPrices'] | undefined
): string {
  if (duplicate) return say('These words were remembered within the last day already, and are kept once.')
  return prices?.remember
    ? say('Remembered. It cost {price}.', { price: priceText(prices.remember) })
    : say('Remembered.')
}
