// `npm run bench:memory`: how well the engine finds what annotated conversations hold, beside SQLite's own search.
import { parseArgs } from 'node:util'
import { ReasoningLevel } from '../schemas/mind.ts'
import { variablesOf } from '../src/config-values.ts'
import { openModels } from '../src/llm/open.ts'
import { modelVariables } from '../src/llm/variables.ts'
import { type Answerable, measureAnswers } from './memory-answers.ts'
import { tableOfAnswers } from './memory-answers-report.ts'
import { indexForBaseline } from './memory-baseline.ts'
import { type Conversation, readConversations } from './memory-data.ts'
import { type Asked, figuresOf } from './memory-figures.ts'
import { type MemoryFixture, openMemoryFixture } from './memory-fixture.ts'
import { byMeaning, byWords, type Finding } from './memory-meaning.ts'
import { reportFigures } from './memory-report.ts'
import { type ToldMind, tellConversation } from './memory-telling.ts'

const HELP = `npm run bench:memory -- --data <file> [options]

  --data <file>      conversations as JSON Lines: {id, memories: [{id, occurredAt, content}],
                     questions: [{question, category, evidence: [memory id], answer?}]}
  --db <url>         store them in this PostgreSQL database, where they stay, instead of a fresh SQLite file
  --answers          also ask every question, and hold the answers against the data's own: by the words that they
                     contain and, where LLM_URL, LLM_KEY and LLM_MODEL are set, by a judge
  --embeddings       find by meaning, too: LLM_URL, LLM_KEY and EMBEDDING_MODEL say with which model; the time of a
                     search is then mostly the gateway's
  --level <level>    standard, enhanced or deep; of --answers (default: standard)
  --json             answer with one line of JSON
  --help             this text

Every memory goes through the service's own remember, into a Mind for each conversation. A question without evidence
isn't counted; category 5 (adversarial) is shown, and left out of the sum.
`

/** As far down as the figures look. */
const LIMIT = 50

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    db: { type: 'string' },
    answers: { type: 'boolean', default: false },
    embeddings: { type: 'boolean', default: false },
    level: { type: 'string', default: 'standard' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
if (values.help || values.data === undefined) {
  process.stdout.write(HELP)
  process.exit(values.help ? 0 : 1)
}

const level = ReasoningLevel.parse(values.level)
const conversations = readConversations(values.data)
const fixture = await openMemoryFixture(
  values.db,
  values.answers || values.embeddings ? modelVariablesIn(process.env) : {}
)
try {
  const engine: Asked[] = []
  const baseline: Asked[] = []
  const answerable: Answerable[] = []
  const finding = values.embeddings ? byMeaning(fixture.service) : byWords
  for (const conversation of conversations) {
    const mind = await tellConversation(fixture, conversation)
    await finding.fill()
    const find = indexForBaseline(conversation)
    for (const question of conversation.questions) {
      const { question: text, category, answer: gold } = question
      answerable.push({ mindKey: mind.key, question: text, category: String(category), gold })
      if (question.evidence.length === 0) continue
      engine.push(await ask(fixture, finding, mind, question))
      const startedAt = performance.now()
      const found = find(question.question, LIMIT)
      const tookMs = performance.now() - startedAt
      const evidence = new Set(question.evidence)
      baseline.push({ category: String(question.category), evidence, found, tookMs })
    }
  }
  const skipped = conversations.flatMap(({ questions }) => questions).length - engine.length
  const { models } = fixture.service.config
  const { model: judgeModel } = openModels(models)
  const answers = values.answers
    ? await measureAnswers(fixture.service, answerable, { level, judgeModel })
    : undefined
  reportFigures(
    { engine: figuresOf(engine), baseline: figuresOf(baseline), answers },
    { skipped, isJson: values.json }
  )
  if (answers && !values.json)
    process.stdout.write(`${tableOfAnswers(answers, level, models.model).join('\n')}\n`)
} finally {
  await fixture.close()
}

/** Those that say which model answers. */
function modelVariablesIn(environment: NodeJS.ProcessEnv): Record<string, string> {
  const names = new Set(['MEMORY_DEADLINE_MS', ...variablesOf(modelVariables).map(({ name }) => name)])
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && names.has(name) ? [[name, value]] : []
    )
  )
}

async function ask(
  { service }: MemoryFixture,
  { openSearcher }: Finding,
  { key, memoryIds }: ToldMind,
  { question, category, evidence }: Conversation['questions'][number]
): Promise<Asked> {
  const startedAt = performance.now()
  const { hits } = await openSearcher(service.database.read, key).search(question, LIMIT)
  const tookMs = performance.now() - startedAt
  return {
    category: String(category),
    evidence: new Set(evidence.map((id) => memoryIds.get(id) ?? id)),
    found: hits.map(({ memoryId }) => memoryId),
    tookMs
  }
}
