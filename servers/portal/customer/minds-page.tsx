// All Minds of the customer, and one more.
import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import type { Mind } from '../../../schemas/mind.ts'
import type { PageEnv } from '../env.ts'
import { PortalPage } from '../frames.tsx'
import { MindTable, NewMind } from '../minds.tsx'
import { Card, Stack } from '../ui/layout.tsx'
import type { Tried } from '../visit.ts'
import { isManager } from './menu.ts'

interface MindsPageProps {
  c: Context<PageEnv>
  minds: readonly Mind[]
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
          <MindTable minds={minds} hrefOf={(mindId) => `${base}/memory/minds/${mindId}`} />
        </Card>
        {isManager(c.get('visitor')) ? (
          <NewMind action={`${base}/memory/minds/create`} tried={tried} refusal={tried?.refusal} />
        ) : null}
      </Stack>
    </PortalPage>
  )
}
