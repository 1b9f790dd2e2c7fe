// The topic by which a fact of a model finds its slot: where the rules know one, the same, so that both mean one slot.
import type { FactKind } from '../facts/draft.ts'
import { foldValue } from '../facts/fold-value.ts'
import { contentWords } from '../facts/fragments.ts'
import { topicOfRelation } from '../facts/read-possessed.ts'
import { topicOfThing } from '../facts/read-taste.ts'
import { topicOfGoal } from '../facts/read-wishes.ts'

const MAX_TOPIC_LENGTH = 60

/** @param named what the model calls the topic */
export function topicOf(kind: FactKind, value: string, named: string): string {
  return (known(kind, value) ?? words(named || value)).slice(0, MAX_TOPIC_LENGTH)
}

/** `undefined` where the value doesn't tell. */
function known(kind: FactKind, value: string): string | undefined {
  switch (kind) {
    case 'name':
    case 'role':
    case 'company':
    case 'place':
      return ''
    case 'contact':
      if (value.includes('@')) return 'email'
      return value.replace(/\D/g, '').length >= 7 ? 'phone' : undefined
    case 'relation': {
      const [, relation, name] = /^(\p{Ll}[\p{Ll} -]*) (\p{Lu}.*)$/u.exec(value) ?? []
      return relation && name ? topicOfRelation(relation, name) : foldValue(value)
    }
    case 'like':
      return topicOfThing(value.replace(/^(?:dis)?likes /i, '')) || undefined
    case 'goal':
      return topicOfGoal(value) || undefined
    default:
      return undefined
  }
}

const words = (text: string): string => contentWords(text).slice(0, 3).join(' ') || foldValue(text)
