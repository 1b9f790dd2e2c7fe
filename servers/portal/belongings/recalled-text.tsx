// Profile and snapshot as people read them. The engine writes them as lines: headings that end in a colon, and below
// each its facts with a day and the memory that says so. What doesn't look like that is shown as it is.
import type { FC } from 'hono/jsx'
import { say, sayOneOf, type Text } from '../../../src/language/say.ts'
import { DescriptionList, Prose, Stack } from '../ui/layout.tsx'
import { DAY } from '../ui/values.tsx'

interface Fact {
  label: string | undefined
  text: string
  /** `2026-05-03` */
  day: string | undefined
}

export interface Section {
  heading: string | undefined
  facts: Fact[]
}

/** `Place: Lisbon (2026-05-03, mem_…)` */
const FACT = /^(?:(\p{Lu}\p{L}{0,20}): )?(.*) \((\d{4}-\d\d-\d\d), mem_\w+\)$/u
/** `2026-05-03 Dana Reyes, Place: Lisbon (mem_…)` */
const DATED = /^(\d{4}-\d\d-\d\d) (.*) \(mem_\w+\)$/u

export function sectionsOf(text: string): Section[] {
  const sections: Section[] = []
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const fact = factOf(line)
    if (!fact) sections.push({ heading: line.slice(0, -1), facts: [] })
    else if (sections.length === 0) sections.push({ heading: undefined, facts: [fact] })
    else sections.at(-1)?.facts.push(fact)
  }
  return sections
}

/** A heading is the one line that ends in a colon and has no day. */
function factOf(line: string): Fact | undefined {
  const [, label, text, day] = line.match(FACT) ?? []
  if (text !== undefined) return { label, text, day }
  const [, when, what] = line.match(DATED) ?? []
  if (what !== undefined) return { label: undefined, text: withKindInWords(what), day: when }
  return line.endsWith(':') ? undefined : { label: undefined, text: line, day: undefined }
}

/** `Dana Reyes, Place: Lisbon` */
const withKindInWords = (text: string): string =>
  text.replace(/(?<=, )\p{Lu}\p{L}{0,20}(?=: )/u, (kind) => sayOneOf(ENGINE_WORDS, kind))

export const RecalledSections: FC<{ sections: readonly Section[] }> = ({ sections }) => (
  <Stack>
    {sections.map(({ heading, facts }) => (
      <Stack>
        {heading === undefined ? null : (
          <h3>
            <bdi>{headingText(heading)}</bdi>
          </h3>
        )}
        <DescriptionList items={facts.filter(isTermed).map(termOf)} />
        {facts
          .filter((fact) => !isTermed(fact))
          .map(({ text }) => (
            <Prose>
              <p dir="auto">{text}</p>
            </Prose>
          ))}
      </Stack>
    ))}
  </Stack>
)

/** Of those that the engine has, one names whom it is about. */
function headingText(heading: string): string {
  const [, name] = heading.match(/^About (.+)$/) ?? []
  return name === undefined || name === 'the customer'
    ? sayOneOf(ENGINE_WORDS, heading)
    : say('About {name}', { name })
}

/** What the engine heads its lines with. Words of a model's own stay as they are. */
const ENGINE_WORDS = [
  ...(['About the customer', 'Changed in the last 30 days', 'Coming up'] as const),
  ...(['Name', 'Role', 'Company', 'Place', 'Contact', 'Health', 'Prefers', 'Relation', 'Plan'] as const),
  ...(['Goal', 'Taste', 'Event', 'Policy', 'Id', 'Plate', 'Code', 'Insurer', 'Area', 'Vehicle'] as const),
  ...(['Room', 'Budget', 'Seats', 'Birth', 'Pet'] as const)
] satisfies readonly Text[]

const isTermed = ({ label, day }: Fact): boolean => label !== undefined || day !== undefined

/** A fact stands beside what kind it is, and else beside its day. */
function termOf({ label, text, day }: Fact) {
  const value = <bdi>{text}</bdi>
  if (label === undefined) return { term: dayText(day ?? ''), value }
  return {
    term: sayOneOf(ENGINE_WORDS, label),
    value: day ? (
      <>
        {value} <span class="none">{dayText(day)}</span>
      </>
    ) : (
      value
    )
  }
}

/** A day without a time, as the engine tells it; text that only looks like a day stays as it is. */
function dayText(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? day : DAY(date)
}
