import type { Child, FC } from 'hono/jsx'

export type Tone = 'good' | 'warn' | 'bad' | 'neutral'

/** A state in a word; the colour repeats what the word says. */
export const Badge: FC<{ tone: Tone; children?: Child }> = ({ tone, children }) => (
  <span class={`badge ${tone}`}>{children}</span>
)
