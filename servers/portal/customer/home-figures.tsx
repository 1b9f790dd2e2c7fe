// Numbers at a glance, each a link to what it counts.
import type { Child, FC } from 'hono/jsx'
import { Time } from '../ui/time.tsx'
import type { Overview } from './home-data.ts'

interface Figure {
  value: string
  label: Child
  href: string
}

export function figuresOf(base: string, { memory, agents, team }: Overview): Figure[] {
  const figures: Figure[] = []
  if (memory) {
    const label = `${memory.memories === 1 ? 'memory' : 'memories'} in ${memory.minds} ${memory.minds === 1 ? 'Mind' : 'Minds'}`
    figures.push({ value: memory.memories.toLocaleString('en'), label, href: `${base}/memory` })
  }
  if (agents) {
    const used = agents.lastUsedAt ? (
      <>
        used <Time iso={agents.lastUsedAt} />
      </>
    ) : (
      'not used yet'
    )
    const label = (
      <>
        {agents.tokens === 1 ? 'token' : 'tokens'} of agents, {used}
      </>
    )
    figures.push({ value: agents.tokens.toLocaleString('en'), label, href: `${base}/agents` })
  }
  if (team) {
    const invited = team.invited === 0 ? '' : `, ${team.invited} invited`
    figures.push({
      value: (team.active + team.invited).toLocaleString('en'),
      label: `of ${team.places} places in your team${invited}`,
      href: `${base}/team`
    })
  }
  return figures
}

export const Figures: FC<{ figures: readonly Figure[] }> = ({ figures }) => (
  <ul class="figures" aria-label="At a glance">
    {figures.map(({ value, label, href }) => (
      <li>
        <a href={href}>
          <b>{value}</b> <span>{label}</span>
        </a>
      </li>
    ))}
  </ul>
)
