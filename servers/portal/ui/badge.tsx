import type { Child, FC } from 'hono/jsx'

export type Tone = 'good' | 'warn' | 'bad' | 'neutral'

/** A state in a word; the colour repeats what the word says. */
export const Badge: FC<{ tone: Tone; children?: Child }> = ({ tone, children }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

/** What a state is called, and how it looks. */
export interface State {
  tone: Tone
  label: string
}

export const StateBadge: FC<State> = ({ tone, label }) => <Badge tone={tone}>{label}</Badge>
