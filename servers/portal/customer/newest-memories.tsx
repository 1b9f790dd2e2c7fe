import type { FC } from 'hono/jsx'
import { Card } from '../ui/card.tsx'
import { ConfirmButton } from '../ui/confirm.tsx'
import { EmptyState } from '../ui/empty.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import type { RecalledMind } from './memory-reads.ts'
import { namedBy, StoredText } from './stored-text.tsx'

/** What a Mind was told last, each with a way to forget it for those who may. `here` is the Mind's own address. */
export const NewestMemories: FC<{ here: string; recalled: RecalledMind | undefined; canManage: boolean }> = ({
  here,
  recalled,
  canManage
}) => (
  <Card title="Newest memories" description="The last 20, newest first. Ask a question to find older ones.">
    <Table
      caption="Newest memories"
      columns={[
        { title: 'Memory' },
        { title: 'When' },
        ...(canManage ? [{ title: 'Actions', hidden: true }] : [])
      ]}
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
