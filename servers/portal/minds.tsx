// A customer's Minds and what is remembered in them, as console and portal show them.

import type { FC } from 'hono/jsx'
import { CreateMind, type Mind, type Recalled } from '../../schemas/mind.ts'
import { namedBy, StoredText } from './customer/stored-text.tsx'
import { asked, type FormState, type Refusal } from './form-state.ts'
import { Field } from './ui/field.tsx'
import { ConfirmButton, Form, FormError, Submit } from './ui/form.tsx'
import { Card, EmptyState } from './ui/layout.tsx'
import { Table } from './ui/table.tsx'
import { Badge, counted, Nothing, Time } from './ui/values.tsx'

export const MindTable: FC<{ minds: readonly Mind[]; hrefOf: (mindId: string) => string }> = ({
  minds,
  hrefOf
}) => (
  <Table
    caption="Minds"
    columns={['Mind', 'About', { title: 'Memories', align: 'end' }, { title: 'Changed', align: 'end' }]}
    rows={minds.map(({ mindId, name, description, isPrimary, memoryCount, updatedAt }) => ({
      key: mindId,
      href: hrefOf(mindId),
      cells: [
        <>
          <bdi>{name}</bdi> {isPrimary && name !== 'Primary' ? <Badge tone="neutral">Primary</Badge> : null}
        </>,
        description === null ? <Nothing /> : <bdi>{description}</bdi>,
        memoryCount.toLocaleString('en'),
        <Time iso={updatedAt} />
      ]
    }))}
    empty={<EmptyState title="There is no Mind yet">The primary one is made on first use.</EmptyState>}
  />
)

interface NewMindProps {
  action: string
  state: FormState | undefined
  /** Shown above the fields. */
  refusal?: Refusal | undefined
}

export const NewMind: FC<NewMindProps> = ({ action, state, refusal }) => (
  <Card title="Create a Mind">
    <Form action={action}>
      <FormError refusal={refusal} />
      <Field
        {...asked(state, 'name', 'Name')}
        required
        maxlength={CreateMind.shape.name.maxLength ?? undefined}
        autocomplete="off"
      />
      <Field
        {...asked(state, 'description', 'Description')}
        maxlength={CreateMind.shape.description.unwrap().maxLength ?? undefined}
        help="What belongs in it, for those who choose between Minds."
        autocomplete="off"
      />
      <Submit>Create Mind</Submit>
    </Form>
  </Card>
)

interface NewestMemoriesProps {
  description: string
  messages: Recalled['messages']
  /** Where one is forgotten; nothing for those who may not. */
  forgetting: ((memoryId: string) => { action: string; fields?: Record<string, string> }) | undefined
  /** Said where there is none. */
  whenNone: string
}

/** What a Mind was told last, each with a way to forget it. */
export const NewestMemories: FC<NewestMemoriesProps> = ({ description, messages, forgetting, whenNone }) => (
  <Card title="Newest memories" description={description}>
    <Table
      caption="Newest memories"
      columns={['Memory', 'When', ...(forgetting ? [{ title: 'Actions', hidden: true }] : [])]}
      rows={messages.map(({ id, content, occurredAt }) => ({
        key: id,
        cells: [
          <StoredText text={content} />,
          <Time iso={occurredAt} />,
          forgetting && (
            <ConfirmButton
              label="Forget"
              title="Forget this memory?"
              text={
                <>
                  <p dir="auto">{namedBy(content)}</p>
                  <p>It is deleted for good, with every fact that was read from it.</p>
                </>
              }
              {...forgetting(id)}
              confirmLabel="Forget it"
            />
          )
        ]
      }))}
      empty={<EmptyState title="Nothing is remembered yet">{whenNone}</EmptyState>}
    />
  </Card>
)

export const ForgetMind: FC<{ mind: Mind; action: string }> = ({
  mind: { name, isPrimary, memoryCount },
  action
}) => (
  <Card
    tone="danger"
    title="Forget this Mind"
    description={
      isPrimary
        ? 'Deletes every memory in it for good. The primary Mind is made anew, and empty, on next use.'
        : 'Deletes the Mind and every memory in it for good.'
    }
    action={
      <ConfirmButton
        label="Forget this Mind"
        title={`Forget the Mind ${namedBy(name)}?`}
        text={`${counted(memoryCount, 'memory is', 'memories are')} deleted for good. Download them first if they may be needed.`}
        action={action}
        confirmLabel="Forget the Mind"
      />
    }
  />
)
