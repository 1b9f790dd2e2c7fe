// The customer's Minds: what one knows, what it was told last and what can be done with it; and all of them.

import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import { MAX_CONTENT_LENGTH, type Mind, type Recalled } from '../../../schemas/mind.ts'
import type { CreditPrices } from '../../../src/credits/prices.ts'
import type { PageEnv } from '../env.ts'
import { asked, type FormState } from '../form-state.ts'
import { PortalPage } from '../frames.tsx'
import { ForgetMind, MindTable, NewestMemories, NewMind } from '../minds.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Form, FormError, LinkButton, Submit } from '../ui/form.tsx'
import { Card, EmptyState, Prose, Stack, Tabs } from '../ui/layout.tsx'
import { isManager } from './menu.ts'
import { priceText } from './prices.ts'
import { RecalledSections, sectionsOf } from './recalled-text.tsx'

interface MindPageProps {
  c: Context<PageEnv>
  minds: readonly Mind[]
  /** Absent before anything was remembered. */
  mind: Mind | undefined
  recalled: Recalled | undefined
  /** Absent where the customer doesn't pay by credits of its own. */
  prices: CreditPrices | undefined
  /** The form as it was sent, where that was refused. */
  state?: FormState | undefined
}

export const MindPage: FC<MindPageProps> = ({ c, minds, mind, recalled, prices, state }) => {
  const { base } = c.get('site')
  const canManage = isManager(c.get('visitor'))
  const here = mind ? `${base}/memory/minds/${mind.mindId}` : `${base}/memory`
  return (
    <PortalPage
      c={c}
      title="Memory"
      current="memory"
      action={
        <LinkButton href={mind ? `${base}/memory/ask?mind=${mind.mindId}` : `${base}/memory/ask`}>
          Ask a question
        </LinkButton>
      }
    >
      <MindTabs base={base} minds={minds} current={mind?.mindId} />
      <Stack>
        {mind?.description ? (
          <Prose>
            <p dir="auto">{mind.description}</p>
          </Prose>
        ) : null}
        {recalled ? <Known recalled={recalled} /> : null}
        {canManage ? <RememberForm action={`${here}/remember`} prices={prices} state={state} /> : null}
        <NewestMemories
          description="The last 20, newest first. Ask a question to find older ones."
          messages={recalled?.messages ?? []}
          forgetting={canManage ? (id) => ({ action: `${here}/memories/${id}/forget` }) : undefined}
          whenNone={
            canManage
              ? 'What your agents remember shows here. Write a first memory above, or connect an agent.'
              : 'What your agents remember shows here.'
          }
        />
        {mind && canManage ? <Ownership here={here} mind={mind} /> : null}
      </Stack>
    </PortalPage>
  )
}

/** More would not fit beside each other. */
const MAX_TABS = 4

/** The first Minds and the one that is looked at, and a way to all of them. */
const MindTabs: FC<{ base: string; minds: readonly Mind[]; current: string | undefined }> = ({
  base,
  minds,
  current
}) => {
  const shown = minds.filter(({ mindId }, index) => index < MAX_TABS || mindId === current)
  return (
    <Tabs
      label="Minds"
      items={[
        ...shown.map(({ mindId, name }) => ({
          href: `${base}/memory/minds/${mindId}`,
          label: name,
          current: mindId === current
        })),
        { href: `${base}/memory/minds`, label: `All Minds (${minds.length})`, current: false }
      ]}
    />
  )
}

const Known: FC<{ recalled: Recalled }> = ({ recalled: { profile, snapshot, degraded } }) => {
  // What was told last stands below, whole.
  const changes = sectionsOf(snapshot).filter(({ heading }) => heading !== 'Told last')
  return (
    <>
      {degraded ? (
        <Card
          title="Something is missing at the moment"
          description="What is shown here is true, but not all that is known. Look again later."
        />
      ) : null}
      <Card title="Profile" description="What holds, as your agents are told before a conversation.">
        {profile === '' ? (
          <EmptyState title="No facts yet">
            Facts such as names, places and preferences are read from what is remembered.
          </EmptyState>
        ) : (
          <RecalledSections sections={sectionsOf(profile)} />
        )}
      </Card>
      {changes.length === 0 ? null : (
        <Card title="Snapshot" description="What changed lately.">
          <RecalledSections sections={changes} />
        </Card>
      )}
    </>
  )
}

const Ownership: FC<{ here: string; mind: Mind }> = ({ here, mind }) => (
  <>
    <Card
      title="Export"
      description="Every memory in the order in which it was told, one JSON object a line."
      action={
        <LinkButton kind="plain" href={`${here}/export`} download>
          Download
        </LinkButton>
      }
    />
    <ForgetMind mind={mind} action={`${here}/forget`} />
  </>
)

const RememberForm: FC<{
  action: string
  prices: CreditPrices | undefined
  state: FormState | undefined
}> = ({ action, prices, state }) => (
  <Card title="Remember something" description={prices ? `Costs: ${priceText(prices.remember)}.` : undefined}>
    <Form action={action}>
      <FormError refusal={state?.refusal} />
      <TextArea
        {...asked(state, 'content', 'What to remember')}
        required
        maxlength={MAX_CONTENT_LENGTH}
        help="In words that stand on their own. Begin with “Name: ” to say who said it. No passwords or keys."
      />
      <Field {...asked(state, 'occurredAt', 'Day it happened')} type="date" help="Today, if left empty." />
      <Submit>Remember</Submit>
    </Form>
  </Card>
)

// All Minds of the customer, and one more.

interface MindsPageProps {
  c: Context<PageEnv>
  minds: readonly Mind[]
  state?: FormState | undefined
}

export const MindsPage: FC<MindsPageProps> = ({ c, minds, state }) => {
  const { base } = c.get('site')
  return (
    <PortalPage
      c={c}
      title="Minds"
      current="memory"
      breadcrumbs={[{ href: `${base}/memory`, label: 'Memory' }]}
    >
      <Stack>
        <Card
          title="Your Minds"
          description="A Mind keeps a subject apart: no Mind sees what another one holds. Most need only the primary one."
        >
          <MindTable minds={minds} hrefOf={(mindId) => `${base}/memory/minds/${mindId}`} />
        </Card>
        {isManager(c.get('visitor')) ? (
          <NewMind action={`${base}/memory/minds/create`} state={state} refusal={state?.refusal} />
        ) : null}
      </Stack>
    </PortalPage>
  )
}
