// What a reader of clauses gives: a fact that still lacks its subject.
import type { Clause } from './clause.ts'
import type { FactKind } from './draft.ts'

export interface Finding {
  kind: FactKind
  value: string
  topic?: string
  isRetraction?: boolean
  /** Left out where one mention is enough. */
  needsRepeating?: boolean
}

/** Reads clauses with one of its verbs. */
export interface Reader {
  verbs: readonly string[]
  read(clause: Clause): readonly Finding[]
}

export const NOTHING: readonly Finding[] = []

export const words = (list: string): string[] => list.trim().split(/\s+/)

/** Reads on behind an opening of a few fixed words. */
export const after =
  (opening: RegExp, read: (clause: Clause) => readonly Finding[]) =>
  (clause: Clause): readonly Finding[] => {
    const [found] = opening.exec(clause.rest) ?? []
    return found === undefined ? NOTHING : read({ ...clause, rest: clause.rest.slice(found.length) })
  }

const VALUE_ENDS =
  /[,;!?()…—–]|\.(?=\s|$)|:(?!\d)| - | (?:because|since|while|but|so|if|although|though|and (?:I|he|she|we|they|it|is|am|are|was|has|have|had|will|would|now)\b|for now|right now)(?:\s|$)/

const CLOCK = /\b([ap])\.m\.?/gi

/** The words up to where something else begins. */
export const untilEnd = (rest: string): string =>
  (rest.replace(CLOCK, '$1m').split(VALUE_ENDS, 1)[0] ?? '').trim()

/** What narrows a thing down may be all that matters of it: without it the thing is another. */
export const NARROWED = / (?:that|which|who|whose|where|when|as|like|than|what|how)(?:\s|$)/i

/** Points at what was said before, at the listener or at the scene: nothing by itself. */
export const POINTING_WITHIN =
  /\b(?:you|your|yours|him|her|it|them|these|those|this|that|too|either|here|there|as well|something|somewhere|someone|things?|stuff|ones?)\b/i
