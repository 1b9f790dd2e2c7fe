// `npm run bench:memory`: how well the engine finds what annotated conversations hold, beside SQLite's own search.
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { execute } from '../src/execute.ts'
import { searchMind } from '../src/memory/embedded/search.ts'
import { findMind } from '../src/memory/minds.ts'
import { createMind, rememberOperation } from '../src/memory/operations.ts'
import { indexForBaseline } from './memory-baseline.ts'
import { type Conversation, readConversations } from './memory-data.ts'
import { type Asked, figuresOf } from './memory-figures.ts'
import { reportFigures } from './memory-report.ts'
import { type MemoryStage, openMemoryStage } from './memory-stage.ts'

const HELP = `npm run bench:memory -- --data <file> [options]

  --data <file>      conversations as JSON Lines: {id, memories: [{id, occurredAt, content}],
                     questions: [{question, category, evidence: [memory id]}]}
  --db <url>         store them in this PostgreSQL database, where they stay, instead of a fresh SQLite file
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
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
if (values.help || values.data === undefined) {
  process.stdout.write(HELP)
  process.exit(values.help ? 0 : 1)
}

const conversations = readConversations(values.data)
const stage = await openMemoryStage(values.db)
try {
  const engine: Asked[] = []
  const baseline: Asked[] = []
  for (const conversation of conversations) {
    const mind = await tell(stage, conversation)
    const find = indexForBaseline(conversation)
    for (const question of conversation.questions) {
      if (question.evidence.length === 0) continue
      engine.push(await ask(stage, mind, question))
      const startedAt = performance.now()
      const found = find(question.question, LIMIT)
      const tookMs = performance.now() - startedAt
      const evidence = new Set(question.evidence)
      baseline.push({ category: String(question.category), evidence, found, tookMs })
    }
  }
  const skipped = conversations.flatMap(({ questions }) => questions).length - engine.length
  reportFigures(
    { engine: figuresOf(engine), baseline: figuresOf(baseline) },
    { skipped, isJson: values.json }
  )
} finally {
  await stage.close()
}

interface ToldMind {
  key: number
  /** From the ids in the file to those of the service; words that were said twice within a day have one. */
  memoryIds: ReadonlyMap<string, string>
}

async function tell(
  { service, caller, customerId }: MemoryStage,
  { id: name, memories }: Conversation
): Promise<ToldMind> {
  const call = { caller, requestId: 'bench' }
  const created = await execute(createMind, service, call, { customerId, name })
  const { mindId } = z.object({ mindId: z.string() }).parse(created.output)
  const memoryIds = new Map<string, string>()
  for (const { id, content, occurredAt } of memories) {
    const { output } = await execute(rememberOperation, service, call, {
      ...{ customerId, mindId, content, occurredAt }
    })
    memoryIds.set(id, z.object({ memoryId: z.string() }).parse(output).memoryId)
  }
  const mind = await findMind(service.database.read, { partnerId: caller.partnerId, customerId }, mindId)
  if (!mind) throw new Error('The Mind was not kept.')
  return { key: mind.key, memoryIds }
}

async function ask(
  { service }: MemoryStage,
  { key, memoryIds }: ToldMind,
  { question, category, evidence }: Conversation['questions'][number]
): Promise<Asked> {
  const startedAt = performance.now()
  const { hits } = await searchMind(service.database.read, key, question, { limit: LIMIT })
  const tookMs = performance.now() - startedAt
  return {
    category: String(category),
    evidence: new Set(evidence.map((id) => memoryIds.get(id) ?? id)),
    found: hits.map(({ memoryId }) => memoryId),
    tookMs
  }
}
