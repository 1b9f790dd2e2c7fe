import type { FC } from 'hono/jsx'
import { Icon } from './icon.tsx'

/** Copies a text; there only where scripts run, since the text can always be selected. */
export const CopyButton: FC<{ text: string; label: string }> = ({ text, label }) => (
  <button type="button" class="copy" data-copy={text} aria-label={label} title={label}>
    <Icon name="copy" />
    <Icon name="check" />
  </button>
)
