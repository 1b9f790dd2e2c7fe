// What the parts of the reference are made of: code samples, coloured on the server, sentences and refusals.
import type { FC } from 'hono/jsx'
import { type ErrorCode, errorOf } from '../../../src/errors.ts'
import { codesByStatus } from '../error-codes.ts'

/** Stands in what is rendered once for the address at which the page is asked for. */
export const ASKED_URL = 'https://address.invalid'

/** A titled sample. It can be scrolled by keyboard, so its frame takes focus. */
export const CodeCard: FC<{ title: string; label: string; children?: unknown }> = ({
  title,
  label,
  children
}) => (
  <figure class="snippet">
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

/** A sentence whose `backticks` become code; everything is escaped. */
export const InlineText: FC<{ text: string }> = ({ text }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
)

/** Codes of refusals by their status, with what each means. */
export const RefusalList: FC<{ codes: readonly ErrorCode[] }> = ({ codes }) => (
  <ul class="refusals">
    {codesByStatus(codes).flatMap(([status, each]) =>
      each.map((code) => (
        <li>
          <span class="status">{status}</span>
          <code>{code}</code>
          <span class="meaning">
            <InlineText text={errorOf(code).meaning} />
          </span>
        </li>
      ))
    )}
  </ul>
)
