// Code samples, coloured on the server.
import type { FC } from 'hono/jsx'

/** A titled sample. It can be scrolled by keyboard, so its frame takes focus. */
export const CodeCard: FC<{ title: string; label: string; children?: unknown }> = ({
  title,
  label,
  children
}) => (
  <figure class="code">
    <figcaption>{title}</figcaption>
    <section tabindex={0} aria-label={label}>
      <pre>
        <code>{children}</code>
      </pre>
    </section>
  </figure>
)

/** Keys, texts, and what is neither. */
const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?\b/g

/** A value as indented JSON. */
export const Json: FC<{ value: unknown }> = ({ value }) => {
  const text = JSON.stringify(value, null, 2)
  const parts: unknown[] = []
  let end = 0
  for (const token of text.matchAll(JSON_TOKEN)) {
    const [whole, quoted, colon] = token
    parts.push(text.slice(end, token.index))
    const kind = quoted === undefined ? 'literal' : colon ? 'key' : 'string'
    parts.push(<span class={kind}>{quoted ?? whole}</span>, colon ?? '')
    end = token.index + whole.length
  }
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  )
}
