import type { FC } from 'hono/jsx'

/** A sentence whose `backticks` become code; everything is escaped. */
export const InlineText: FC<{ text: string }> = ({ text }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
)
