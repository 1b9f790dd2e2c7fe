// What a model may answer, given what it has read; and the answer made of it.
import { z } from 'zod'
import { MAX_ANSWER_LENGTH } from '../answer.ts'
import { datedExcerptOf } from '../excerpt.ts'
import { type EngineAnswer, inSlices, NOTHING_FOUND } from '../port.ts'
import { type Claim, type Given, unfoundedIn } from './grounding.ts'
import type { Shown } from './prompt.ts'

const Reply = z.object({ isAnswered: z.boolean(), answer: z.string(), citations: z.array(z.string()) })
type Reply = z.output<typeof Reply>

export const Searches = z.object({ searches: z.array(z.string()) })

/** What a reply is held against. */
interface Asked {
  shown: Shown
  system: string
  question: string
}

/** An answer from what is shown, or none. What is wrong with it is told to the model in these words. */
export const answerFrom = (asked: Asked): z.ZodType<Reply> =>
  Reply.superRefine((reply, ctx) => complain(reply, asked, ctx))

export const stepFrom = (asked: Asked) =>
  Searches.extend(Reply.shape).superRefine((step, ctx) => {
    if (step.searches.length === 0) complain(step, asked, ctx)
  })

function complain(reply: Reply, { shown, system, question }: Asked, ctx: z.core.$RefinementCtx): void {
  if (!reply.isAnswered) return
  const answer = cleaned(reply.answer)
  const cited = labelsOf({ ...reply, answer }, shown)
  const texts = cited.map((label) => shown.get(label)?.text ?? '')
  const issue = (field: keyof Reply, message: string) =>
    ctx.addIssue({ code: 'custom', path: [field], message })
  if (answer === '') issue('answer', 'It is empty, and isAnswered is true.')
  if (cited.length === 0) issue('citations', 'None is the label of a given item.')
  if (!addressesStandIn(answer, texts)) issue('answer', 'It has an address that stands in no cited item.')
  if (tellsOf(system, answer)) issue('answer', 'It speaks of the instructions.')
  if (ctx.issues.length > 0) return
  const given = new Map(
    [...shown].map(([label, { text, item }]) => [label, givenOf(label, text, item.content)])
  )
  const unfounded = unfoundedIn(claimsOf({ ...reply, answer }, given), [...given.values()], question)
  if (unfounded.length > 0) {
    const named = unfounded.slice(0, MAX_NAMED).join(', ')
    issue(
      'answer',
      `These stand in none of the items cited for them: ${named}. Cite where they stand, or leave them out.`
    )
  }
}

const MAX_NAMED = 8
/** Of more sentences the rest is held against all that is cited. */
const MAX_CLAIMS = 50

/** Its label is ours, and no number of it. */
const givenOf = (label: string, text: string, content: string): Given => ({
  text: text.slice(`[${label}] `.length),
  content
})

const sentences = new Intl.Segmenter('und', { granularity: 'sentence' })
/** A label behind the full stop belongs to the sentence before it. */
const LABEL_BEHIND = /([.!?。！？]+)((?:\s?\[[mf]\d+(?:\s?[,;]\s?[mf]\d+)*\])+)/gi

/** The answer up to each sentence with labels, with what these cite; a rest without any may be of all that is cited. */
function claimsOf(reply: Reply, given: ReadonlyMap<string, Given>): Claim[] {
  const citing = (labels: readonly string[]) => labels.flatMap((label) => given.get(label) ?? [])
  const claims: Claim[] = []
  let text = ''
  for (const { segment } of sentences.segment(reply.answer.replace(LABEL_BEHIND, '$2$1'))) {
    text += segment.replace(LABELS, '')
    const labels = labelsOf({ answer: segment, citations: [] }, given)
    if (labels.length === 0 || claims.length === MAX_CLAIMS) continue
    claims.push({ text, cited: citing(labels) })
    text = ''
  }
  return [...claims, { text, cited: citing(labelsOf(reply, given)) }]
}

/** So long a part of our own text stands in no answer by chance. */
const TELLING_LENGTH = 40

function tellsOf(system: string, answer: string): boolean {
  if (answer.includes('stored-text')) return true
  const said = flat(answer)
  const told = flat(system)
  for (let start = 0; start + TELLING_LENGTH <= told.length; start += TELLING_LENGTH / 2) {
    if (said.includes(told.slice(start, start + TELLING_LENGTH))) return true
  }
  return false
}

const flat = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')

/** Control characters, and those that turn the direction of what follows; line ends stay. */
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/gu

const READ_LENGTH = 2 * MAX_ANSWER_LENGTH

const cleaned = (text: string): string =>
  text.slice(0, READ_LENGTH).toWellFormed().replace(UNPRINTABLE, ' ').trim()

const LABELS = /\s?\[((?:[mf]\d+)(?:\s?[,;]\s?[mf]\d+)*)\]/gi
const labelsIn = (text: string): string[] => text.toLowerCase().match(/[mf]\d+/g) ?? []

function labelsOf(
  { answer, citations }: Pick<Reply, 'answer' | 'citations'>,
  shown: ReadonlyMap<string, unknown>
): string[] {
  const inline = [...answer.matchAll(LABELS)].flatMap(([, labels = '']) => labelsIn(labels))
  return [...new Set([...inline, ...citations.flatMap(labelsIn)])].filter((label) => shown.has(label))
}

export async function sourced(reply: Reply, shown: Shown, terms: ReadonlySet<string>, signal: AbortSignal) {
  if (!reply.isAnswered) return { answer: NOTHING_FOUND, sources: [], found: false }
  const pause = inSlices(signal)
  const answer = cleaned(reply.answer)
  const numbers = new Map<string, number>()
  const sources: EngineAnswer['sources'] = []
  for (const label of labelsOf({ ...reply, answer }, shown)) {
    const item = shown.get(label)?.item
    if (!item) continue
    const { memoryId, occurredAt, content } = item
    const known = sources.findIndex((source) => source.memoryId === memoryId)
    if (known < 0) {
      sources.push({
        memoryId,
        excerpt: await datedExcerptOf({ content, occurredAt }, terms, pause),
        occurredAt
      })
    }
    numbers.set(label, known < 0 ? sources.length : known + 1)
  }
  const numbered = answer.replace(LABELS, (_, labels: string) => {
    const own = new Set(labelsIn(labels).flatMap((label) => numbers.get(label) ?? []))
    return [...own].map((number) => ` [${number}]`).join('')
  })
  return { answer: shortened(numbered.trim()), sources, found: true }
}

const shortened = (text: string): string =>
  text.length <= MAX_ANSWER_LENGTH
    ? text
    : `${text.slice(0, MAX_ANSWER_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`

// Addresses in an answer. A link that nobody ever stored is how stored text would send its reader away, or what it read.

const LINK_TARGET = /\]\(\s*<?([^)\s>]*)/g
const WITH_SCHEME =
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"'()[\]]+|\b(?:mailto|tel|sms|javascript|data):[^\s<>"'()[\]]+/gi
const MAILBOX = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+\.\p{L}{2,}/gu
/** `evil.example/path`; a sentence that lacks its blank goes on with a capital. */
const BARE =
  /(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}-]+\.)+\p{Ll}{2,24}(?![\p{L}\p{N}])(?:[:/?#][^\s<>"'()[\]]*)?/gu

export function addressesStandIn(text: string, others: readonly string[]): boolean {
  const known = others.map(visible).join('\n').toLowerCase()
  return addressesIn(visible(text)).every((address) => stands(address.toLowerCase(), known))
}

const visible = (text: string): string => text.normalize('NFKC').replace(/\p{Cf}/gu, '')

function addressesIn(text: string): string[] {
  const addresses: string[] = [...text.matchAll(LINK_TARGET)].map(([, target = '']) => target)
  let rest = text
  for (const pattern of [WITH_SCHEME, MAILBOX, BARE]) {
    // What is a part of one is none by itself.
    rest = rest.replace(pattern, (address) => {
      addresses.push(address)
      return ' '
    })
  }
  return addresses.map((address) => address.replace(/^-+|[.,;:!?*_`'"’”)\]]+$/g, '')).filter(Boolean)
}

/** Not as a part of a longer one: `evil.example` isn't known from `good.evil.example`. */
function stands(address: string, known: string): boolean {
  for (let at = known.indexOf(address); at >= 0; at = known.indexOf(address, at + 1)) {
    const before = known[at - 1] ?? ' '
    const after = known.slice(at + address.length, at + address.length + 2)
    if (!/[\p{L}\p{N}.@-]/u.test(before) && !/^(?:[\p{L}\p{N}_%@/-]|\.[\p{L}\p{N}])/u.test(after)) return true
  }
  return false
}
