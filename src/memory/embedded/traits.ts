// What a memory's words are like, beside what they say: kept as bits, for questions that ask for a time or a place.

/** A question mark of any script. */
export const ASKS = 1
/** Speaks of whoever says it. */
export const FIRST_PERSON = 2
export const NAMES_TIME = 4
export const NAMES_PLACE = 8
export const NAMES_NUMBER = 16
export const NAMES_REASON = 32
/** Names somebody or something, not only whom it greets. */
export const NAMES_NAME = 64

/** Of a long memory its beginning tells enough. */
const READ_LENGTH = 4_000

const TELLING: readonly (readonly [RegExp, number])[] = [
  [/[?？؟]/, ASKS],
  [/\b(?:i|i'm|i've|i'd|me|my|we|our)\b/i, FIRST_PERSON],
  [
    /\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|days?|morning|afternoon|evening|night|recently|since|soon|just|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|summer|winter|spring|autumn|birthday)\b|[0-9]{4}|[0-9][時时点日年月]/i,
    NAMES_TIME
  ],
  [
    /\b(?:in|at|to|from|near) (?:the )?\p{Lu}|\b(?:city|town|country|park|beach|street|cafe|restaurant|studio|home|house|store|shop|school|state|club|gym|museum|mountains?|lake|island|coast)\b/u,
    NAMES_PLACE
  ],
  [
    /[0-9]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|few|couple|several|once|twice|first|second|third|half|many)\b/i,
    NAMES_NUMBER
  ],
  [
    /\b(?:because|since|so that|reason|inspired?|motivat\w*|want(?:ed)?|helps?|love|makes?|made me|due to|decided|for|reminds?|to)\b/i,
    NAMES_REASON
  ],
  [
    /(?<=\p{Ll} ["“'‘]?)(?<!\b(?:[Hh](?:ey|i|ello)|[Tt]hanks|[Yy]ou|[Ww]ow|[Cc]ongrats|[Dd]ear) )(?!I\b)\p{Lu}\p{L}/u,
    NAMES_NAME
  ]
]

export function traitsOf(text: string): number {
  const read = text.slice(0, READ_LENGTH)
  return TELLING.reduce((traits, [words, trait]) => (words.test(read) ? traits | trait : traits), 0)
}
