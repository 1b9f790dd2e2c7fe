import type { FC } from 'hono/jsx'
import { CopyButton } from './copy.tsx'
import { Icon } from './icon.tsx'

/** A secret that is shown this one time; `note` says so and what to do with it. */
export const SecretBox: FC<{ label: string; secret: string; note: string }> = ({ label, secret, note }) => (
  <section class="secret" aria-label={label}>
    <p class="secret-label">{label}</p>
    <div class="secret-line">
      <code>{secret}</code>
      <CopyButton text={secret} label={`Copy ${lowerFirst(label)}`} />
    </div>
    <p class="secret-note">
      <Icon name="alert" />
      {note}
    </p>
  </section>
)

/** “API key” keeps its capitals, “Token” becomes “token”. */
export const lowerFirst = (text: string): string =>
  /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
