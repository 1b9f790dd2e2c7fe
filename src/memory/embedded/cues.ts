import { normalise } from './fold.ts'

/** What kind of thing a question asks for. */
export type Cue = 'time' | 'place' | 'number' | 'reason'

const anyOf = (...words: string[]): RegExp => new RegExp(`(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`, 'u')

/** By the question words of each language; accents may be missing. Chinese and Japanese stand without blanks. */
const QUESTION_WORDS: readonly (readonly [Cue, RegExp])[] = [
  [
    'time',
    anyOf(
      '(?:when|(?:what|which) (?:day|date|month|year)|what time|how long|since)',
      '(?:cu[aá]ndo|desde cu[aá]ndo|quand|wann|seit wann|quando|wanneer|когда|متى)'
    )
  ],
  ['time', /什么时候|何时|几点|几号|哪天|哪年|いつ|何時|何日|何月|何年|何曜日/],
  [
    'place',
    anyOf(
      '(?:where|(?:which|what) (?:city|country|place|town))',
      '(?:ad?d[oó]nde|d[oó]nde|o[uù] (?:est|sont|se)|où|wo|wohin|woher|onde|aonde|dove|waar|где|куда|откуда|أين)'
    )
  ],
  ['place', /哪里|哪儿|什么地方|どこ/],
  [
    'number',
    anyOf(
      '(?:how (?:many|much|often|old|long))',
      '(?:cu[aá]nt[oa]s?|combien|wie ?(?:viele?|oft|alt|lange)|quant[oaie]s?|hoe ?(?:veel|vaak|oud|lang)|сколько|كم)'
    )
  ],
  ['number', /多少|几个|几次|几岁|多久|いくつ|いくら|何人|何回|何歳|何台|何個/],
  [
    'reason',
    anyOf(
      '(?:why|what (?:made|motivated|inspired|caused))',
      '(?:por qu[eé]|pourquoi|warum|wieso|weshalb|perch[eé]|waarom|почему|зачем|لماذا)'
    )
  ],
  ['reason', /为什么|为何|なぜ|どうして/]
]

export function cuesOf(question: string): ReadonlySet<Cue> {
  const text = normalise(question).toLowerCase()
  return new Set(QUESTION_WORDS.filter(([, words]) => words.test(text)).map(([cue]) => cue))
}
