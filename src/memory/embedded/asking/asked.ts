// A question as an answer in the Mind's own words needs it: about whom, for what, of which time.
import { analyseQuestion, type QuestionWord } from '../analyse.ts'
import { type Attribute, attributesAsked, isOf, isTitle, wordsFor } from '../attributes/attribute.ts'
import { isTimeWord } from '../attributes/shapes.ts'
import { peopleIn } from '../facts/names.ts'
import { fold } from '../fold.ts'
import { isLatin, LATIN_LANGUAGES, type Language, latinLanguagesOf } from '../language.ts'
import { fullNameOf, isNamedIn, likeness, type Name, nameOf } from '../names.ts'
import { lazily } from '../port.ts'
import { latinStems } from '../terms.ts'
import { periodAsked } from '../time/period.ts'
import { wordList, wordSet } from '../word-lists.ts'
import { hasUnspaced } from '../words.ts'

export type Asked = ReturnType<typeof readAsked>

/** Of a question as long as a letter the rest is only searched for. */
const LOOKED_AT = 1_000

/** @param known the names that the Mind's best memories hold @param at the time at which it is asked */
export function readAsked(whole: string, known: readonly Name[], spoken: Language, at: string) {
  const question = whole.slice(0, LOOKED_AT)
  const { language: likeliest, words, asksWhen } = analyseQuestion(question)
  const isWhen = asksWhen || ASKS_DAY.test(fold(question))
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
  const attributes = attributesOf(question, language, isWhen)
  const { before } = wordsFor(language)
  const isSynonymous = attributes.some(isOf('synonymous'))
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
    ({ text }) => !(isSynonymous && attributesAsked(text, language).some(isOf('synonymous')))
  )
  const things = thingsIn(question, content, language)
  const about = content.filter(({ text }) => !things.some((thing) => isSame(thing, nameOf(text))))
  const folded = fold(question)
  return {
    language,
    names,
    /** Each with what it may be told by, too: the only full name that has it. */
    forms: names.map((name) => [name, ...fullNameOf(name, known)]),
    /** Every name as often as it is told. */
    known,
    /** What it names beside people and companies: all of it must stand in an answer. */
    things,
    period,
    attributes,
    /** What an answer must tell before all: an amount or a number, if that is asked for. */
    primary: primaryOf(attributes),
    /** Terms of all its words beside names, dates and those that say little. */
    said: said.map(({ terms }) => terms),
    /** The same without the words for an attribute and without things: what else must be told. */
    content: about.map(({ terms }) => terms),
    /** Asks for whatever happened, or is known. */
    isOpen:
      attributes.length === 0 && about.every(({ terms }) => terms.some((term) => happenings().has(term))),
    /** Asks whether something holds still, whenever it was told. */
    isStill: STILL.test(folded),
    isHistory: before(question),
    /** Asks for a day or a time. */
    isWhen,
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
  const folded = fold(question)
  const joined = question.match(/\p{Lu}\p{L}+(?:-\p{Lu}\p{L}+)+/gu) ?? []
  const isKnown = (part: string): boolean => known.some((name) => name.includes(part))
  const named = [...peopleIn(question, language).map(({ name }) => name), ...joined]
    .map(nameOf)
    .map((name) => {
      // `Kommt Hedwig …?`: a question begins with a large letter, too.
      const [first = '', ...others] = name
      return folded.startsWith(first) && others.some(isKnown) && !isKnown(first) ? others : name
    })
  const taken = new Set(named.flat())
  const parts = words
    .filter(({ isName }) => isName)
    .flatMap(({ text }) => nameOf(text))
    .filter((part) => part.length > 1 && !taken.has(part) && isKnown(part))
  for (const part of parts) {
    if (named.some((name) => name.includes(part))) continue
    // `the Miller Brothers`, `d'Odile Vasseur`: words of one name are one.
    const beside = new Set(known.filter((name) => name.includes(part)).flat())
    const begun = named.findIndex((name) => name.every((other) => beside.has(other)))
    const whole = parts.filter((other) => beside.has(other) || folded.includes(`${part} ${other}`))
    if (begun < 0) named.push([...new Set(whole)])
    else named[begun] = [...new Set([...whole, ...(named[begun] ?? [])])]
  }
  for (const name of known) {
    if (named.length >= MAX_NAMES) break
    if (/^[a-z]/.test(name[0] ?? '') || !isNamedIn(name, folded)) continue
    if (!named.some((other) => likeness(other, name) !== 'other')) named.push(name)
  }
  return named.slice(0, MAX_NAMES)
}

/** Nobody asks about more, and each is looked for in each sentence that is read. */
const MAX_NAMES = 8
const MAX_WORDS = 100

const ASKS_DAY =
  /(?<!\p{L})(?:(?:what|which) weekday|which days?|welche[rmn]? tag|quels? jours?|que dias?|qual dia|che giorno|welke dag|какой день)(?!\p{L})|曜日|星期几/u

function attributesOf(question: string, language: Language, isWhen: boolean): readonly Attribute[] {
  const asked = attributesAsked(question, language)
  if (HOW_MANY.test(fold(question))) return asked.filter(isOf('counted'))
  if (ASKS_WHY.test(fold(question))) return []
  return isWhen ? asked.filter(isOf('timed')) : asked
}

const ASKS_WHY =
  /(?<!\p{L})(?:why|por que|porque|pourquoi|warum|wieso|weshalb|perche|waarom|почему|зачем|لماذا)(?!\p{L})|为什么|なぜ|どうして/u

const primaryOf = (attributes: readonly Attribute[]): readonly Attribute[] =>
  [attributes.filter(isOf('valued')), attributes.filter(isOf('needed'))].find(({ length }) => length > 0) ??
  attributes

/** Words that say little by themselves. */
const LIGHT =
  wordSet(`now new still ever jetzt neu neue neuen noch ahora nuevo nueva aun todavia agora ainda novo nova maintenant nouveau nouvelle encore ora adesso nuovo nu nieuw сейчас теперь ещё الان 今 新しい
have has had get got take does do make go tener tiene tienen tenia tenian tengo hacer hace hizo haben hat hatte
hatten habt gibt darf kann muss herrn frau avoir a ont avait fait ter tem tinha teve faz avere ha hanno aveva heeft hebben
had есть был была было
number numero numeros nummer numéro номер رقم 番号 号码
day date time tag datum uhrzeit dia fecha hora jour heure data giorno ora often called`)

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
  const behind = folded.slice(match.index + match[0].length)
  return content.find(({ text }) => behind.slice(0, 3 + text.length).includes(fold(text)))?.terms
}

/** Words for what goes on in general: a question of nothing else asks for all there is. */
const happenings = lazily(
  (): ReadonlySet<string> =>
    new Set(
      wordList(`
happen happened occur give list overview recap summary sum up show come came go going on new news know tell anything something do did done job jobs work worked visit visits treatment treatments
repaso resumen haz hazme dame cuenta cuéntame pasar paso pasó ocurrir ocurrio ocurrió suceder sucedio sabe sabes novedades trabajos visitas
zusammenfassung überblick fass fasse gib passiert passieren geschehen geschah los neues weiss bekannt arbeiten besuche gab
récapitulatif bilan résumé fais passe passé passer arrive arrivé arriver produit sait nouvelles travaux visites
resumo faz aconteceu acontecer passou passar ocorreu sabe novidades trabalhos visitas
successo succedere accaduto novita lavori gebeurd gebeurde gebeuren nieuws
произошло случилось было 発生 发生 間 あり あっ 起き こと 出来事 何 حدث جرى حصل`).flatMap((word) => [
        fold(word),
        ...LATIN_LANGUAGES.flatMap((language) => latinStems(word, language))
      ])
    )
)
