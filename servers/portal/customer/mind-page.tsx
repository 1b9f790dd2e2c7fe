// One Mind: what it knows, what it was told last, and what can be done with it.
import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import { MAX_CONTENT_LENGTH } from '../../../schemas/mind.ts'
import type { CreditPrices } from '../../../src/credits/prices.ts'
import type { PageEnv } from '../env.ts'
import { PortalPage } from '../frames.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { ConfirmButton, Form, FormError, LinkButton, Submit } from '../ui/form.tsx'
import { Card, EmptyState, Prose, Stack } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Time } from '../ui/values.tsx'
import { asked, type Tried } from '../visit.ts'
import type { MindRecord, RecalledMind } from './memory-reads.ts'
import { isManager } from './menu.ts'
import { priceText } from './prices.ts'
import { RecalledSections, sectionsOf } from './recalled-text.tsx'
import { namedBy, StoredText } from './stored-text.tsx'

interface MindPageProps {
  c: Context<PageEnv>
  minds: readonly MindRecord[]
  /** Absent before anything was remembered. */
  mind: MindRecord | undefined
  recalled: RecalledMind | undefined
  /** Absent where the customer doesn't pay by credits of its own. */
  prices: CreditPrices | undefined
  /** The form as it was sent, where that was refused. */
  tried?: Tried | undefined
}

export const MindPage: FC<MindPageProps> = ({ c, minds, mind, recalled, prices, tried }) => {
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
        {canManage ? <RememberForm action={`${here}/remember`} prices={prices} tried={tried} /> : null}
        <NewestMemories here={here} recalled={recalled} canManage={canManage} />
        {mind && canManage ? <Ownership here={here} mind={mind} /> : null}
      </Stack>
    </PortalPage>
  )
}

/** More would not fit beside each other. */
const MAX_TABS = 4

/** The first Minds and the one that is looked at, and a way to all of them. */
const MindTabs: FC<{ base: string; minds: readonly MindRecord[]; current: string | undefined }> = ({
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

const Known: FC<{ recalled: RecalledMind }> = ({ recalled: { profile, snapshot, degraded } }) => {
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

const Ownership: FC<{ here: string; mind: MindRecord }> = ({
  here,
  mind: { name, memoryCount, isPrimary }
}) => (
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
    <Card
      tone="danger"
      title="Forget this Mind"
      description="Deletes the Mind and every memory in it for good. Export it first if you may need it."
      action={
        <ConfirmButton
          label="Forget this Mind"
          title={`Forget the Mind ${namedBy(name)}?`}
          text={`${countOf(memoryCount)} in it will be deleted for good.${isPrimary ? ' An empty primary Mind is made on next use.' : ''}`}
          action={`${here}/forget`}
          confirmLabel="Forget the Mind"
        />
      }
    />
  </>
)

const countOf = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'memory' : 'memories'}`

/** What a Mind was told last, each with a way to forget it for those who may. `here` is the Mind's own address. */
const NewestMemories: FC<{ here: string; recalled: RecalledMind | undefined; canManage: boolean }> = ({
  here,
  recalled,
  canManage
}) => (
  <Card title="Newest memories" description="The last 20, newest first. Ask a question to find older ones.">
    <Table
      caption="Newest memories"
      columns={['Memory', 'When', ...(canManage ? [{ title: 'Actions', hidden: true }] : [])]}
      rows={(recalled?.messages ?? []).map(({ id, content, occurredAt }) => ({
        key: id,
        cells: [
          <StoredText text={content} />,
          <Time iso={occurredAt} />,
          ...(canManage
            ? [
                <ConfirmButton
                  label="Forget"
                  title="Forget this memory?"
                  text={
                    <>
                      <p dir="auto">{namedBy(content)}</p>
                      <p>It is deleted for good, with every fact that was read from it.</p>
                    </>
                  }
                  action={`${here}/memories/${id}/forget`}
                  confirmLabel="Forget it"
                />
              ]
            : [])
        ]
      }))}
      empty={
        <EmptyState title="Nothing is remembered yet">
          {canManage
            ? 'What your agents remember shows here. Write a first memory above, or connect an agent.'
            : 'What your agents remember shows here.'}
        </EmptyState>
      }
    />
  </Card>
)

const RememberForm: FC<{
  action: string
  prices: CreditPrices | undefined
  tried: Tried | undefined
}> = ({ action, prices, tried }) => (
  <Card title="Remember something" description={prices ? `Costs: ${priceText(prices.remember)}.` : undefined}>
    <Form action={action}>
      <FormError refusal={tried?.refusal} />
      <TextArea
        {...asked(tried, 'content', 'What to remember')}
        required
        maxlength={MAX_CONTENT_LENGTH}
        help="In words that stand on their own. Begin with “Name: ” to say who said it. No passwords or keys."
      />
      <Field {...asked(tried, 'occurredAt', 'Day it happened')} type="date" help="Today, if left empty." />
      <Submit>Remember</Submit>
    </Form>
  </Card>
)
