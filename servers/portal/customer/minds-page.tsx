// All Minds of the customer, and one more.
import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import { CreateMind } from '../../../schemas/mind.ts'
import type { PageEnv } from '../env.ts'
import { PortalPage } from '../frames.tsx'
import { Field } from '../ui/field.tsx'
import { Form, FormError, Submit } from '../ui/form.tsx'
import { Card, EmptyState, Stack } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { Badge, Time } from '../ui/values.tsx'
import { asked, type Tried } from '../visit.ts'
import type { MindRecord } from './memory-reads.ts'
import { isManager } from './menu.ts'

interface MindsPageProps {
  c: Context<PageEnv>
  minds: readonly MindRecord[]
  tried?: Tried | undefined
}

export const MindsPage: FC<MindsPageProps> = ({ c, minds, tried }) => {
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
          <Table
            caption="Minds"
            columns={['Mind', { title: 'Memories', align: 'end' }, 'Last changed']}
            rows={minds.map((mind) => ({
              key: mind.mindId,
              href: `${base}/memory/minds/${mind.mindId}`,
              cells: [
                <>
                  <bdi>{mind.name}</bdi> {mind.isPrimary ? <Badge tone="neutral">default</Badge> : null}
                </>,
                mind.memoryCount.toLocaleString('en'),
                <Time iso={mind.updatedAt} />
              ]
            }))}
            empty={
              <EmptyState title="There is no Mind yet">The primary one is made on first use.</EmptyState>
            }
          />
        </Card>
        {isManager(c.get('visitor')) ? (
          <Card title="Create a Mind">
            <Form action={`${base}/memory/minds/create`}>
              <FormError refusal={tried?.refusal} />
              <Field
                {...asked(tried, 'name', 'Name')}
                required
                maxlength={CreateMind.shape.name.maxLength ?? undefined}
              />
              <Field
                {...asked(tried, 'description', 'Description')}
                maxlength={CreateMind.shape.description.unwrap().maxLength ?? undefined}
                help="What belongs in it, for those who choose between Minds."
              />
              <Submit>Create Mind</Submit>
            </Form>
          </Card>
        ) : null}
      </Stack>
    </PortalPage>
  )
}
