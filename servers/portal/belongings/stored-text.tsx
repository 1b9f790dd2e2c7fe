// Text that somebody once stored: whatever it says, it is shown as text, in its own direction, and long ones fold.
import type { FC } from 'hono/jsx'
import { say } from '../../../src/language/say.ts'
import { Prose } from '../ui/layout.tsx'

/** Of longer texts the rest is folded away. */
const MOST_SHOWN = 400
const MOST_LINES = 6
/** A rest that is shorter isn't worth a click. */
const LEAST_FOLDED = 80
/** So that a page of twenty stays light; an export has the whole. */
const MOST_UNFOLDED = 1_200

export const StoredText: FC<{ text: string }> = ({ text }) => {
  const lines = firstLines(text)
  const beginning = lines.length - MOST_SHOWN < LEAST_FOLDED ? lines : beginningOf(lines, MOST_SHOWN)
  const rest = text.slice(beginning.length).replace(/^\n/, '')
  return (
    <Prose>
      <p dir="auto">{beginning}</p>
      {rest === '' ? null : (
        <details>
          <summary>{say('Show the rest')}</summary>
          <p dir="auto">{rest.length > MOST_UNFOLDED ? `${beginningOf(rest, MOST_UNFOLDED)}…` : rest}</p>
          {rest.length > MOST_UNFOLDED ? (
            <p class="help">{say('It goes on; an export has the whole.')}</p>
          ) : null}
        </details>
      )}
    </Prose>
  )
}

/** So much of the text as fits one glance, up to the end of a word if there is one; no character is cut in two. */
function beginningOf(text: string, longest: number): string {
  if (text.length <= longest) return text
  const cut = text.slice(0, longest)
  const atWord = cut.slice(0, cut.search(/\s\S*$/u) + 1)
  if (atWord.length > longest / 2) return atWord
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}

const firstLines = (text: string): string => text.split('\n', MOST_LINES).join('\n')

/** On one line, short enough for a question: “Ada: I moved to Lisbon and…” */
export function namedBy(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  const beginning = beginningOf(line, 80).trimEnd()
  return say('“{words}”', { words: beginning.length < line.length ? `${beginning}…` : beginning })
}
