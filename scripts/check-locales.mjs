// Every language has every text, each with what is filled in, and none that nothing says any more. That none is missing the
// type check sees (src/language/say.ts).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'

/** As the parser has it. */
const LITERAL = 0

const root = join(import.meta.dirname, '..')
const folder = join(root, 'locales')
const catalogues = Object.fromEntries(
  readdirSync(folder).map((file) => [file, JSON.parse(readFileSync(join(folder, file), 'utf8'))])
)

const problems = []
const texts = new Set(Object.values(catalogues).flatMap(Object.keys))
for (const [file, catalogue] of Object.entries(catalogues)) {
  for (const text of texts) {
    if (Object.hasOwn(catalogue, text)) compare(file, text, catalogue[text])
    else problems.push(`${file} lacks: ${text}`)
  }
}

const code = sourcesIn('schemas', 'src', 'servers')
for (const text of texts) if (!code.includes(`'${text}'`)) problems.push(`Nothing says any more: ${text}`)

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exit(1)
}

function compare(file, text, own) {
  try {
    const [asked, given] = [text, own].map((one) =>
      [...namesIn(new IntlMessageFormat(one).getAst())].toSorted().join(', ')
    )
    if (asked !== given) problems.push(`${file} fills in “${given}” instead of “${asked}”: ${text}`)
    if (own.trim() !== own || own === '') problems.push(`${file} has white space around, or nothing: ${text}`)
  } catch (error) {
    problems.push(`${file} can’t be read (${error.message}): ${text}`)
  }
}

/** What a text has filled in, by name, in all its forms. */
function* namesIn(elements, seen = new Set()) {
  for (const { type, value, options = {}, children = [] } of elements) {
    if (type !== LITERAL && value !== undefined && !seen.has(value)) {
      seen.add(value)
      yield value
    }
    for (const inner of [children, ...Object.values(options).map((option) => option.value)])
      yield* namesIn(inner, seen)
  }
}

function sourcesIn(...folders) {
  const files = folders.flatMap((one) =>
    readdirSync(join(root, one), { recursive: true, encoding: 'utf8' }).map((file) => join(root, one, file))
  )
  return files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
}
