import type { FC } from 'hono/jsx'
import { CopyButton } from './copy.tsx'

/** Something to paste elsewhere. Long lines scroll inside of it, by keyboard too. */
export const Snippet: FC<{ label: string; code: string }> = ({ label, code }) => (
  <figure class="snippet">
    <figcaption>
      {label}
      <CopyButton text={code} label={`Copy: ${label}`} />
    </figcaption>
    <section tabindex={0} aria-label={label}>
      <pre>
        <code>{code}</code>
      </pre>
    </section>
  </figure>
)
