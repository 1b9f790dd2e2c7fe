import type { FC } from 'hono/jsx'
import { say } from '../../../src/language/say.ts'
import { Icon } from './icon.tsx'

/** There only where scripts run: the text can always be selected. */
export const CopyButton: FC<{ text: string; label: string }> = ({ text, label }) => (
  <button type="button" class="copy" data-copy={text} aria-label={label} title={label}>
    <Icon name="copy" />
    <Icon name="check" />
  </button>
)

/** Something to paste elsewhere. Long lines scroll inside of it, by keyboard too. */
export const Snippet: FC<{ label: string; code: string }> = ({ label, code }) => (
  <figure class="snippet">
    <figcaption>
      <bdi>{label}</bdi>
      <CopyButton text={code} label={say('Copy: {what}', { what: label })} />
    </figcaption>
    <section tabindex={0} aria-label={label}>
      <pre>
        <code>{code}</code>
      </pre>
    </section>
  </figure>
)

/** The end of a log, which scrolls. `part` names what a page's script takes anew. */
export const Log: FC<{ label: string; text: string; part?: string }> = ({ label, text, part }) => (
  <figure class="snippet log">
    <section tabindex={0} aria-label={label} data-part={part}>
      <pre>
        <code>{text === '' ? say('Nothing yet.') : text}</code>
      </pre>
    </section>
  </figure>
)

export const SecretBox: FC<{ label: string; secret: string; note: string }> = ({ label, secret, note }) => (
  <section class="secret" aria-label={label}>
    <p class="secret-label">{label}</p>
    <div class="secret-line">
      <code>{secret}</code>
      <CopyButton text={secret} label={say('Copy: {what}', { what: label })} />
    </div>
    <p class="secret-note">
      <Icon name="alert" />
      {note}
    </p>
  </section>
)
