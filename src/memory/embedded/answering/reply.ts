// What a model may answer, given what it has read; and the answer made of it.
import { z } from 'zod'
import { MAX_ANSWER_LENGTH } from '../answer.ts'
import { datedExcerptOf } from '../excerpt.ts'
import { sentencesOf } from '../facts/sentences.ts'
import { type EngineAnswer, inSlices, shorten } from '../port.ts'
import { type Claim, unfoundedIn } from './grounding.ts'
import type { Shown, ShownItem } from './prompt.ts'

const Reply = z.object({ isAnswered: z.boolean(), answer: z.string(), citations: z.array(z.string()) })
type Reply = z.output<typeof Reply>

export const Searches = z.object({ searches: z.array(z.string()) })

/** What a reply is held against. */
export interface Against {
  shown: Shown
  question: string
}

/** An answer from what is shown, or none. What is wrong with it is told to the model in these words. */
export const answerFrom = (against: Against): z.ZodType<Reply> =>
  Reply.superRefine((reply, ctx) => complain(reply, against, ctx))

export const stepFrom = (against: Against): z.ZodType<Reply & z.output<typeof Searches>> =>
  Searches.extend(Reply.shape).superRefine((step, ctx) => {
    if (step.searches.length === 0) complain(step, against, ctx)
  })

function complain(reply: Reply, { shown, question }: Against, ctx: z.core.$RefinementCtx): void {
  if (!reply.isAnswered) return
  const answer = cleaned(reply.answer)
  const cited = citedIn(answer, shown, reply.citations)
  const issue = (field: keyof Reply, message: string) =>
    ctx.addIssue({ code: 'custom', path: [field], message })
  if (answer === '') issue('answer', 'It is empty, and isAnswered is true.')
  if (cited.length === 0) issue('citations', 'None is the label of a given item.')
  const texts = cited.map(({ text }) => text)
  if (!addressesStandIn(answer, texts)) issue('answer', 'It has an address that stands in no cited item.')
  if (ctx.issues.length > 0) return
  const unfounded = unfoundedIn(claimsOf(answer, shown, cited), [...shown.values()], question)
  if (unfounded.length === 0) return
  const named = unfounded.slice(0, MAX_NAMED).join(', ')
  issue(
    'answer',
    `These stand in none of the items cited for them: ${named}. Cite where they stand, or leave them out.`
  )
}

const MAX_NAMED = 8
/** Of more sentences the rest is held against all that is cited. */
const MAX_CLAIMS = 50

/** A label behind the full stop belongs to the sentence before it. */
const LABEL_BEHIND = /([.!?。！？]{1,9})((?:\s?\[[mf]\d{1,4}(?:\s?[,;]\s?[mf]\d{1,4}){0,50}\]){1,50})/gi

/** The answer up to each sentence with labels, with what these cite; a rest without any may be of all that is cited. */
function claimsOf(answer: string, shown: Shown, cited: readonly ShownItem[]): Claim[] {
  const claims: Claim[] = []
  let text = ''
  for (const sentence of sentencesOf(answer.replace(LABEL_BEHIND, '$2$1'))) {
    text += sentence.replace(LABELS, '')
    const own = citedIn(sentence, shown)
    if (own.length === 0 || claims.length === MAX_CLAIMS) continue
    claims.push({ text, cited: own })
    text = ''
  }
  return [...claims, { text, cited }]
}

/** Control characters, and those that turn the direction of what follows; line ends stay. */
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/gu

const READ_LENGTH = 2 * MAX_ANSWER_LENGTH

const cleaned = (text: string): string =>
  text.slice(0, READ_LENGTH).toWellFormed().replace(UNPRINTABLE, ' ').trim()

const LABELS = /\s?\[([mf]\d{1,4}(?:\s?[,;]\s?[mf]\d{1,4}){0,50})\]/gi
const labelsIn = (text: string): string[] => text.toLowerCase().match(/[mf]\d{1,4}/g) ?? []

function citedIn(answer: string, shown: Shown, citations: readonly string[] = []): ShownItem[] {
  const inline = [...answer.matchAll(LABELS)].flatMap(([, labels = '']) => labelsIn(labels))
  return [...new Set([...inline, ...citations.flatMap(labelsIn)])].flatMap((label) => shown.get(label) ?? [])
}

export async function sourced(reply: Reply, shown: Shown, terms: ReadonlySet<string>, signal: AbortSignal) {
  const pause = inSlices(signal)
  const answer = cleaned(reply.answer)
  const cited = new Map(citedIn(answer, shown, reply.citations).map((item) => [item.memoryId, item]))
  const numbers = [...cited.keys()]
  const sources: EngineAnswer['sources'] = []
  for (const { memoryId, occurredAt, content } of cited.values()) {
    const excerpt = await datedExcerptOf({ content, occurredAt }, terms, pause)
    sources.push({ memoryId, excerpt, occurredAt })
  }
  const numbered = answer.replace(LABELS, (labels) => {
    const own = new Set(citedIn(labels, shown).map(({ memoryId }) => numbers.indexOf(memoryId) + 1))
    return [...own].map((number) => ` [${number}]`).join('')
  })
  return { answer: shorten(numbered.trim(), MAX_ANSWER_LENGTH), sources, found: true }
}

// Addresses in an answer. A link that nobody ever stored is how stored text would send its reader away, or what it read.

/** Where a link leads, and whatever stands between blanks, quotation marks and brackets. */
const PIECE = /\]\(\s{0,9}<?([^)\s>]{0,2000})|[^\s<>"'()[\]]+/g
/** `evil.example/path`, too; a sentence that lacks its blank goes on with a capital. */
const ADDRESS =
  /:\/\/|^(?:mailto|tel|sms|javascript|data):|[\p{L}\p{N}]@[\p{L}\p{N}.-]{1,200}\.\p{L}{2}|^(?:[\p{L}\p{N}-]{1,63}\.){1,9}\p{Ll}{2,24}(?![\p{L}\p{N}])/iu

export function addressesStandIn(text: string, others: readonly string[]): boolean {
  const known = new Set(others.flatMap(addressesIn))
  return addressesIn(text).every((address) => known.has(address))
}

/** What may stand before an address without a blank: `https://`, `mailto:`, `Mail:`. */
const BEFORE_ADDRESS = /^(?:https?:\/\/|[\p{L}-]{1,20}:(?!\/))/u

const addressesIn = (text: string): string[] =>
  [...visible(text).matchAll(PIECE)].flatMap(([piece, target]) => {
    const address = (target ?? piece).replace(/^[-*_`]+|[.,;:!?*_`’”]+$/g, '')
    const isAddress = address !== '' && (target !== undefined || ADDRESS.test(address))
    return isAddress ? [address.toLowerCase().replace(BEFORE_ADDRESS, '')] : []
  })

const visible = (text: string): string => text.normalize('NFKC').replace(/\p{Cf}/gu, '')
