// What there is, at a glance.
import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import type { PageEnv } from '../env.ts'
import { PortalPage } from '../frames.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty.tsx'
import { Stack } from '../ui/stack.tsx'
import { Time } from '../ui/time.tsx'
import { CreditsCard } from './credits-card.tsx'
import type { Overview } from './home-data.ts'
import { Figures, figuresOf } from './home-figures.tsx'
import { isManager } from './menu.ts'
import { NextSteps, nextSteps } from './next-steps.tsx'
import { StoredText } from './stored-text.tsx'

export const HomePage: FC<{ c: Context<PageEnv>; overview: Overview }> = ({ c, overview }) => {
  const { base, look } = c.get('site')
  const { memory, credits, usage } = overview
  const figures = figuresOf(base, overview)
  const steps = isManager(c.get('visitor')) ? nextSteps(base, overview) : []
  return (
    <PortalPage c={c} title="Home" current="">
      <Stack>
        {steps.length > 0 ? <NextSteps steps={steps} /> : null}
        {figures.length > 0 ? <Figures figures={figures} /> : null}
        {figures.length === 0 && !credits ? (
          <Card>
            <EmptyState title="Nothing is switched on for you yet">
              {`What ${look.name} sets up for you shows here.`}
            </EmptyState>
          </Card>
        ) : null}
        {credits ? <CreditsCard credits={credits} usage={usage} support={look.name} /> : null}
        {memory?.newest ? (
          <Card
            title="Remembered last"
            description={<Time iso={memory.newest.occurredAt} />}
            action={
              <LinkButton kind="plain" href={`${base}/memory/minds/${memory.newest.mindId}`}>
                Open the Mind
              </LinkButton>
            }
          >
            <StoredText text={memory.newest.content} />
          </Card>
        ) : null}
      </Stack>
    </PortalPage>
  )
}
