// A question as an answer in the Mind's own words needs it: about whom, for what, of which time.
import { analyseQuestion, type QuestionWord } from '../analyse.ts'
import { type Attribute, attributesAsked, isTitle, wordsFor } from '../attributes/attribute.ts'
import { isTimeWord } from '../attributes/shapes.ts'
import { peopleIn } from '../facts/subjects.ts'
import { fold } from '../fold.ts'
import { isLatin, LATIN_LANGUAGES, type Language, latinLanguagesOf } from '../language.ts'
import { latinStems } from '../terms.ts'
import { periodAsked } from '../time/period.ts'
import { wordList, wordSet } from '../word-lists.ts'
import { hasUnspaced } from '../words.ts'
import { likeness, type Name, nameFinderIn, nameOf } from './names.ts'

export type Asked = ReturnType<typeof readAsked>

/** @param known the names that the Mind's best memories hold @param at the time at which it is asked */
export function readAsked(question: string, known: readonly Name[], spoken: Language, at: string) {
  const { language: likeliest, words, asksWhen } = analyseQuestion(question)
  const cues = cuesOf(question, asksWhen)
  // A short question may be of several languages: then it is of that of the Mind.
  const language =
    latinLanguagesOf(question).some((one) => one === spoken) && isLatin(likeliest) ? spoken : likeliest
  const period = periodAsked(question, at, language)
  const names = namesIn(question, words, known, language)
  const nameParts = new Set(names.flat())
  const periodWords = new Set(period?.words.map(fold))
  const isName = (text: string) => {
    const folded = fold(text)
    return (
      nameParts.has(folded) ||
      nameParts.has(folded.replace(/['’]?s$/, '')) ||
      (hasUnspaced(folded) && [...nameParts].some((part) => part.includes(folded)))
    )
  }
  const attributes = attributesOf(question, language, cues)
  const { before } = wordsFor(language)
  const isSynonymous = attributes.some((attribute) => SYNONYMOUS.has(attribute))
  const said = words
    .filter(
      ({ text }) =>
        !isName(text) &&
        !periodWords.has(fold(text)) &&
        !before(text) &&
        !isTimeWord(fold(text)) &&
        !LIGHT.has(fold(text)) &&
        !isTitle(text) &&
        !/^\p{Script=Hiragana}+$/u.test(text)
    )
    .slice(0, MAX_WORDS)
  const content = said.filter(
    ({ text }) =>
      !(isSynonymous && attributesAsked(text, language).some((attribute) => SYNONYMOUS.has(attribute)))
  )
  const things = thingsIn(question, content, language)
  const about = content.filter(({ text }) => !things.some((thing) => isSame(thing, nameOf(text))))
  const folded = fold(question)
  return {
    language,
    names,
    /** Every name as often as it is told. */
    known,
    /** What it names beside people and companies: all of it must stand in an answer. */
    things,
    period,
    attributes,
    /** Asks of somebody's husband, sister, son. */
    ofRelative: attributesAsked(question, language).includes('relative'),
    /** What an answer must tell before all: an amount or a number, if that is asked for. */
    primary: primaryOf(attributes),
    /** Terms of all its words beside names, dates and those that say little. */
    said: said.map(({ terms }) => terms),
    /** The same without the words for an attribute and without things: what else must be told. */
    content: about.map(({ terms }) => terms),
    /** Asks for whatever happened, or is known. */
    isOpen: attributes.length === 0 && about.every(({ terms }) => terms.some((term) => HAPPENINGS.has(term))),
    /** Asks whether something holds still, whenever it was told. */
    isStill: STILL.test(folded),
    isHistory: before(question),
    cues,
    wantsName: WHO.test(folded),
    counted: countedIn(folded, content)
  }
}

/** Names as such, and any words that are part of one the Mind knows. */
function namesIn(
  question: string,
  words: readonly QuestionWord[],
  known: readonly Name[],
  language: Language
): Name[] {
  const joined = question.match(/\p{Lu}\p{L}+(?:-\p{Lu}\p{L}+)+/gu) ?? []
  const named = [...peopleIn(question, language).map(({ name }) => name), ...joined].map(nameOf)
  const folded = fold(question)
  const taken = new Set(named.flat())
  const bearers = new Map<string, Name[]>()
  for (const name of known) {
    for (const part of name) {
      const others = bearers.get(part)
      if (others) others.push(name)
      else bearers.set(part, [name])
    }
  }
  const parts = words
    .filter(({ isName }) => isName)
    .flatMap(({ text }) => nameOf(text))
    .filter((part) => part.length > 1 && !taken.has(part) && bearers.has(part))
  for (const part of parts) {
    if (named.some((name) => name.includes(part))) continue
    // `the Miller Brothers`: words of one name are one.
    const beside = new Set(bearers.get(part)?.flat())
    named.push([...new Set(parts.filter((other) => beside.has(other)))])
  }
  const isSpelled = nameFinderIn(folded)
  for (const name of known) {
    if (named.length >= MAX_NAMES) break
    if (/^[a-z]/.test(name[0] ?? '') || !isSpelled(name)) continue
    if (!named.some((other) => likeness(other, name) !== 'other')) named.push(name)
  }
  return named.slice(0, MAX_NAMES)
}

/** Nobody asks about more, and each is looked for in each sentence that is read. */
const MAX_NAMES = 20
const MAX_WORDS = 100

/** Which kind of thing follows `which`: `days` in "On which days can he bring his van?", and a van isn't asked for. */
const FOCUS =
  /(?:^|[\s¿])(?:what|which|welche[rsnm]?|que|cual|cuales|quels?|quelles?|qual|quais|quale|quali|welk|welke|какой|какая|какие|اي)\s+(?!(?:is|are|was|were|did|does|do|has|have|will|can|should|es|son|era|fue|est|sont|e|sao|foi|ist|sind|war)\b)(\S+(?:\s+\S+){0,2})/u

type Cue = 'time' | 'place' | 'reason' | 'number'

const CUES: Readonly<Record<Cue, RegExp>> = {
  time: /(?<!\p{L})(?:(?:what|which) weekday|which days?|welche[rmn]? tag|quels? jours?|que dias?|qual dia|che giorno|welke dag|какой день)(?!\p{L})|曜日|星期几/u,
  place:
    /(?<!\p{L})(?:where|ad?onde|d[oa]nde|ou (?:est|sont|se|habite)|wo|wohin|woher|dove|waar|где|куда|اين)(?!\p{L})|哪里|どこ/u,
  reason:
    /(?<!\p{L})(?:why|por que|porque|pourquoi|warum|wieso|weshalb|perche|waarom|почему|зачем|لماذا)(?!\p{L})|为什么|なぜ|どうして/u,
  number:
    /(?<!\p{L})(?:how (?:many|much|often|old)|cuant[oa]s?|combien|wie ?(?:viele?|oft|alt)|quant[oaie]s?|hoe ?(?:veel|vaak|oud)|сколько|كم)(?!\p{L})|多少|几|いくつ|いくら|何[人名回歳台個]/u
}

function cuesOf(question: string, asksWhen: boolean): ReadonlySet<Cue> {
  const folded = fold(question)
  const cues = (Object.keys(CUES) as Cue[]).filter((cue) => CUES[cue].test(folded))
  return new Set(asksWhen ? [...cues, 'time'] : cues)
}

/** What a place, a time or a reason may be told by. */
const OF_CUE: Partial<Record<Cue, ReadonlySet<Attribute>>> = {
  place: new Set<Attribute>(['address', 'area', 'room', 'job', 'supplier']),
  time: new Set<Attribute>(['appointment', 'renewal', 'opening', 'birth', 'preference']),
  reason: new Set<Attribute>()
}

function attributesOf(question: string, language: Language, cues: ReadonlySet<Cue>): readonly Attribute[] {
  const [, focus] = FOCUS.exec(fold(question)) ?? []
  const asked = attributesAsked(question, language)
  const focused =
    focus === undefined
      ? asked
      : attributesAsked(focus, language).filter((attribute) => asked.includes(attribute))
  if (HOW_MANY.test(fold(question)))
    return focused.filter((attribute) => attribute === 'seats' || attribute === 'birth')
  return [...cues].reduce(
    (left, cue) => left.filter((attribute) => OF_CUE[cue]?.has(attribute) ?? true),
    focused
  )
}

function primaryOf(attributes: readonly Attribute[]): readonly Attribute[] {
  const valued = attributes.filter((attribute) => VALUED.has(attribute))
  const needed = attributes.filter((attribute) => NEEDED.has(attribute))
  return [valued, needed, attributes].find(({ length }) => length > 0) ?? []
}

/** What people tell by a value of its own form. */
export const VALUED: ReadonlySet<Attribute> = new Set<Attribute>([
  'phone',
  'email',
  'policy',
  'plate',
  'price',
  'budget',
  'invoice',
  'code'
])
/** What people tell by its name, too: where nobody did, it isn't known. */
export const NEEDED: ReadonlySet<Attribute> = new Set<Attribute>([
  ...VALUED,
  'birth',
  'insurer',
  'allergy',
  'job',
  'pet',
  'address',
  'diet',
  'medication',
  'language',
  'name',
  'contact',
  'vehicle',
  'condition'
])
/** Of these a question names the value itself: whether they have asthma, or a dog. */
export const NAMED_BY_VALUE: ReadonlySet<Attribute> = new Set<Attribute>([
  'condition',
  'pet',
  'diet',
  'relative',
  'medication'
])

/** Words that say little by themselves. */
const LIGHT =
  wordSet(`now new still ever jetzt neu neue neuen noch ahora nuevo nueva aun todavia agora ainda novo nova maintenant nouveau nouvelle encore ora adesso nuovo nu nieuw сейчас теперь ещё الان 今 新しい
have has had get got take does do make go tener tiene tienen tenia tenian tengo hacer hace hizo haben hat hatte
hatten habt gibt darf kann muss herrn frau avoir a ont avait fait ter tem tinha teve faz avere ha hanno aveva heeft hebben
had есть был была было`)

/** What is told by many words: those of the question needn't stand in the answer. */
export const SYNONYMOUS: ReadonlySet<Attribute> = new Set<Attribute>([
  'phone',
  'email',
  'birth',
  'insurer',
  'policy',
  'plate',
  'allergy',
  'job',
  'address',
  'budget',
  'price',
  'contact',
  'vehicle',
  'plan',
  'renewal',
  'supplier',
  'opening',
  'area',
  'goal',
  'language'
])

const isSame = (a: Name, b: Name): boolean =>
  a.length === b.length && a.every((part, index) => part === b[index])

/** Codes and numbers of three digits and more, and what is written large where a language does so with names alone. */
function thingsIn(
  question: string,
  content: readonly { text: string; isName: boolean }[],
  language: Language
): Name[] {
  const start = question.trimStart().split(/[\s,]/, 1)[0] ?? ''
  return content
    .flatMap(({ text, isName }) => {
      if (!isName || text === start) return []
      const isCode = /[0-9]{3}|[0-9]\p{L}|\p{L}[0-9]/u.test(text) && !/^(?:19|20)[0-9]{2}$/.test(text)
      const isLarge = language !== 'de' && /^\p{Lu}\p{Ll}/u.test(text)
      return isCode || isLarge ? [nameOf(text)] : []
    })
    .slice(0, MAX_NAMES)
}

const STILL =
  /(?<!\p{L})(?:still|noch|todavia|aun|sigue|siguen|encore|toujours|ainda|ancora|nog|еще|по-прежнему)(?!\p{L})|まだ|还|仍|لا يزال|ما زال|لا تزال/u

const WHO =
  /^[^\p{L}]*(?:who(?:'s| is| are| was| were)|wer (?:ist|war)|quien (?:es|era)|qui (?:est|etait)|quem (?:e|era)|chi e(?:ra)?|кто|من ه[وي])(?![\p{L}])|\b(?:what|which) (?:is|was) .{0,40}\bname\b|\b(?:is|was|are) .{1,40} called\b|\bheiss(?:t|en)\b|\bse llama\b|\bs'appelle\b|\bse chama\b|\bsi chiama\b|名前|叫什么/u

const HOW_MANY =
  /(?<!\p{L})(?:how many|wie ?viele|cuant[oa]s|combien d(?:e|')?|quant[oa]s|quant[ie]|hoeveel|сколько(?! стои))(?!\p{L})/u

/** The word behind `how many`: what isn't counted there doesn't answer. */
function countedIn(folded: string, content: readonly { text: string; terms: readonly string[] }[]) {
  const match = HOW_MANY.exec(folded)
  if (!match) return undefined
  const from = match.index + match[0].length
  const behind = content
    .map((word) => ({ word, at: folded.indexOf(fold(word.text), from) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
  const [first] = behind
  return first && first.at - from < 4 ? first.word.terms : undefined
}

/** Words for what goes on in general: a question of nothing else asks for all there is. */
const HAPPENINGS: ReadonlySet<string> = new Set(
  wordList(`
happen happened occur come came go going on new news know tell anything something do did done job jobs work worked visit visits treatment treatments
pasar paso pasó ocurrir ocurrio ocurrió suceder sucedio sabe sabes novedades trabajos visitas
passiert passieren geschehen geschah los neues weiss bekannt arbeiten besuche gab
passe passé passer arrive arrivé arriver produit sait nouvelles travaux visites
aconteceu acontecer passou passar ocorreu sabe novidades trabalhos visitas
successo succedere accaduto novita lavori gebeurd gebeurde gebeuren nieuws
произошло случилось было 発生 发生 間 あり あっ 起き こと 出来事 何 حدث جرى حصل`).flatMap((word) => [
    fold(word),
    ...LATIN_LANGUAGES.flatMap((language) => latinStems(word, language))
  ])
)
