// What to do first while there is little to see.
import type { FC } from 'hono/jsx'
import { LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Grid } from '../ui/stack.tsx'
import type { Overview } from './home-data.ts'

interface Step {
  title: string
  text: string
  href: string
  verb: string
}

/** The steps that are still to do. */
export function nextSteps(base: string, { memory, agents, team }: Overview): Step[] {
  const steps: Step[] = []
  if (memory?.memories === 0) {
    steps.push({
      title: 'Write a first memory',
      text: 'A fact, a preference, an agreement: your agents know it from then on.',
      href: `${base}/memory`,
      verb: 'Open memory'
    })
  }
  if (agents?.tokens === 0) {
    steps.push({
      title: 'Connect an agent',
      text: 'Give Claude Code, Cursor, VS Code, n8n or a program of yours access to the memory.',
      href: `${base}/agents`,
      verb: 'Connect an agent'
    })
  }
  if (team && team.active + team.invited === 0 && team.places > 0) {
    steps.push({
      title: 'Invite your team',
      text: 'Colleagues can read and ask, or manage all of it with you.',
      href: `${base}/team`,
      verb: 'Invite somebody'
    })
  }
  return steps
}

export const NextSteps: FC<{ steps: readonly Step[] }> = ({ steps }) => (
  <Grid>
    {steps.map(({ title, text, href, verb }) => (
      <Card title={title} description={text}>
        <LinkButton kind="plain" href={href}>
          {verb}
        </LinkButton>
      </Card>
    ))}
  </Grid>
)
