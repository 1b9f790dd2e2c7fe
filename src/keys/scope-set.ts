// The scopes of a key or token, as its row keeps them.
import { Scope } from '../../schemas/api-key.ts'

const Scopes = Scope.array()
/** Partners give most of their keys the same few combinations. */
const MAX_KNOWN_SETS = 1_000
const knownSets = new Map<string, ReadonlySet<Scope>>()

/** The scopes that a row's JSON lists; read once for each text. */
export function scopeSet(json: string): ReadonlySet<Scope> {
  const known = knownSets.get(json)
  if (known) return known
  const scopes = new Set(scopeList(json))
  if (knownSets.size < MAX_KNOWN_SETS) knownSets.set(json, scopes)
  return scopes
}

/** The same as a list, in the row's order. */
export const scopeList = (json: string): Scope[] => Scopes.parse(JSON.parse(json))
