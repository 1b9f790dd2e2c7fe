// `npm run bench:fit`: the ranking's weights, fitted on annotated conversations, and what they win on others.
import { parseArgs } from 'node:util'
import { searchMind } from '../src/memory/embedded/search.ts'
import { type Feature, WEIGHTS } from '../src/memory/embedded/weights.ts'
import { type Conversation, readConversations } from './memory-data.ts'
import { type Asked, figuresOf, LEFT_OUT } from './memory-figures.ts'
import { openMemoryFixture } from './memory-fixture.ts'
import { tellConversation } from './memory-telling.ts'
import { fitWeights, type Judged, scoreOf } from './weight-fit.ts'

const HELP = `npm run bench:fit -- --data <file> [options]

  --data <file>      conversations as bench:memory reads them, two at least
  --each             fit without each feature, too: what it wins
  --help             this text

Fits the weights of src/memory/embedded/weights.ts to the questions that have evidence, but for category 5, and prints
them as its lines. First each conversation is judged by weights that were fitted on the others: that is what to expect
of conversations that nobody has seen. Weights that need a model stay as they are set.
`

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    each: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false }
  }
})
if (values.help || values.data === undefined) {
  process.stdout.write(HELP)
  process.exit(values.help ? 0 : 1)
}

/** Set by hand: they need a model. */
const SET: readonly Feature[] = ['similar', 'reranked']
const FITTED = (Object.keys(WEIGHTS) as Feature[]).filter((name) => !SET.includes(name))

interface Question extends Judged {
  conversation: string
}

const questions = await judgeAll(readConversations(values.data))
const conversations = [...new Set(questions.map(({ conversation }) => conversation))]
const { weights, asked, askedOfOthers } = fitAll(questions)
print('Each conversation by weights fitted on the others', [
  ...conversations.map((name) => rowOf(name, askedOfOthers(name))),
  rowOf('all', conversations.flatMap(askedOfOthers))
])
print('By weights fitted on all', [rowOf('all', asked)])
print(
  'Weights',
  FITTED.map((name, index) => `  ${name}: ${weights[index]},`)
)
if (values.each) {
  const rows = FITTED.map((name, index) => {
    const { askedOfOthers: askedWithout } = fitAll(
      questions.map((one) => without(one, index)),
      weights
    )
    return rowOf(`not ${name}`, conversations.flatMap(askedWithout))
  })
  print('Without a feature, by weights fitted on the others', rows)
}

/** Every candidate of every question, as the engine sees it. */
async function judgeAll(told: readonly Conversation[]): Promise<Question[]> {
  const fixture = await openMemoryFixture(undefined)
  const { read } = fixture.service.database
  const judged: Question[] = []
  try {
    for (const conversation of told) {
      const { key, memoryIds } = await tellConversation(fixture, conversation)
      for (const { question, category, evidence } of conversation.questions) {
        if (evidence.length === 0 || String(category) === LEFT_OUT) continue
        const { hits } = await searchMind(read, key, question, { limit: Number.MAX_SAFE_INTEGER })
        const held = new Set(evidence.map((id) => memoryIds.get(id) ?? id))
        judged.push({
          conversation: conversation.id,
          candidates: hits.map(({ features }) => FITTED.map((name) => features[name])),
          holds: hits.map(({ memoryId }) => held.has(memoryId)),
          evidence: held.size
        })
      }
    }
  } finally {
    await fixture.close()
  }
  return judged
}

/** @param from weights that are near, where some are known */
function fitAll(judged: readonly Question[], from: readonly number[] = FITTED.map(() => 0)) {
  const all = fitWeights(judged, from)
  const weights = all.map(rounded)
  return {
    weights,
    asked: judged.map((one) => ask(one, weights)),
    askedOfOthers(name: string): Asked[] {
      const others = fitWeights(
        judged.filter(({ conversation }) => conversation !== name),
        all
      ).map(rounded)
      return judged.filter(({ conversation }) => conversation === name).map((one) => ask(one, others))
    }
  }
}

/** As weights.ts has them. */
function rounded(weight: number): number {
  return Math.round(weight * 10) / 10
}

function without(question: Question, feature: number): Question {
  return { ...question, candidates: question.candidates.map((features) => features.with(feature, 0)) }
}

/** As bench:memory counts; equal candidates stay in the engine's order. */
function ask({ candidates, holds, evidence }: Question, weights: readonly number[]): Asked {
  const scores = candidates.map((features) => scoreOf(features, weights))
  const ranked = [...candidates.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
  const nowhere = Array.from(
    { length: evidence - holds.filter(Boolean).length },
    (_, index) => `not ${index}`
  )
  return {
    category: '',
    evidence: new Set([...ranked.filter((index) => holds[index]).map(String), ...nowhere]),
    found: ranked.slice(0, 50).map(String),
    tookMs: 0
  }
}

function rowOf(name: string, asked: readonly Asked[]): string {
  const { questions: count, ...figures } = figuresOf(asked)
  const shares = [figures['recall@5'], figures['recall@10'], figures.mrr].map((share) =>
    (100 * share).toFixed(1)
  )
  return [name.padEnd(24), String(count).padStart(9), ...shares.map((share) => share.padStart(11))].join('')
}

function print(title: string, lines: readonly string[]): void {
  process.stdout.write(`${[title, ...lines].join('\n')}\n\n`)
}
