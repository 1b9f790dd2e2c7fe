// What people like and don't.
import type { Clause } from './clause.ts'
import type { Finding, Reader } from './reading.ts'
import { after, contentWords, NARROWED, NOTHING, POINTING_WITHIN, untilEnd } from './reading.ts'

/** Nothing to like by itself: a pronoun, or what stands before the speakers. */
const POINTING =
  /^(?:it|that|this|these|those|them|him|her|you|your|yours|my|me|us|our|ones?|not|how|what|when|where|why|who|which|every|everything|nothing|something|anything|all|both|each|some|other|another|more|most|less|so|there|here|the|an?|such|his|their|its|i|we|they|he|she|hearing|seeing|being|having|knowing|getting|sharing|doing|making|to (?:hear|see|know|be|have|do|get|say|think|share|make))\b/i

/** In a note about a customer an article names the thing; in talk it points at what is before the speakers. */
function thingOf(rest: string, { person }: Clause): string | undefined {
  const value = untilEnd(rest)
    .replace(/^also /i, '')
    .replace(
      / (?:itself|sometimes|a lot|very much|so much|the most|a bit|anymore|any more|too|as well)$/i,
      ''
    )
  const bare = person === 'other' ? value.replace(/^(?:the|an?) /i, '') : value
  if (bare.length < 3 || bare.split(' ').length > 6 || !/^[\p{L}\p{N}]/u.test(bare)) return undefined
  return POINTING.test(bare) || POINTING_WITHIN.test(bare) || NARROWED.test(bare) ? undefined : bare
}

/** `to hike` and `hiking` are the same. */
export const topicOfThing = (thing: string): string =>
  contentWords(thing)
    .map((word) => word.replace(/^(\p{L}{3,}?)(?:(\p{L})\2)?ing$/u, '$1$2').replace(/(\p{L}{3,})e$/u, '$1'))
    .join(' ')

const taste =
  (likes: boolean) =>
  (clause: Clause): readonly Finding[] => {
    const { subject, rest, person, isDenied, isEnded, isAhead, isPast } = clause
    if (person === 'we' || isAhead || isPast) return NOTHING
    const thing = thingOf(rest, clause)
    const topic = thing ? topicOfThing(thing) : ''
    if (!topic) return NOTHING
    // "Doesn't like" is a dislike, and "no longer likes" only the end of a liking.
    const isLike = isDenied && !isEnded ? !likes : likes
    const value = `${isLike ? 'likes' : 'dislikes'} ${thing}`
    return [{ kind: 'like', topic, value, isRetraction: isEnded, needsRepeating: subject.name !== '' }]
  }

const FAN =
  /^(?:an? )?(?:(?:big|huge|massive|great|real|total|die-?hard) )?(?:fan of |fond of |keen on |passionate about |crazy about |(?:(?:really|very|super|totally|more|still) )?into )/i

export const TASTE_READERS: readonly Reader[] = [
  {
    verbs: 'like likes liking love loves loving enjoy enjoys enjoying adore adores',
    read: taste(true)
  },
  { verbs: 'hate hates hating dislike dislikes detest detests loathe loathes', read: taste(false) },
  { verbs: 'cannot', read: after(/^stand /, taste(false)) },
  { verbs: 'am is', read: after(FAN, taste(true)) }
]
