// What a screen reader is told of what happens; the log itself is silent, so that a reply is said once and history never.
import type { Happening } from './conversation.ts'
import { renderReply } from './markdown.ts'
import type { Say } from './texts.ts'
import { troubleOf } from './trouble.ts'

/** Longer replies are better read than listened to in one go. */
const MAX_SPOKEN = 600

/** What is to be said of a happening; `undefined` where the page says it already, or nothing new. */
export function spoken(happening: Happening, say: Say): string | undefined {
  switch (happening.what) {
    case 'sent':
      return say('working')
    case 'begun':
      return say('begun')
    case 'answered': {
      const text = renderReply(happening.exchange.reply ?? '', say)
        .textContent.replaceAll(/\s+/g, ' ')
        .trim()
      if (text.length <= MAX_SPOKEN) return say('newReply', { text })
      return `${say('newReply', { text: `${text.slice(0, MAX_SPOKEN)}…` })} ${say('moreInConversation')}`
    }
    case 'failed': {
      const trouble = troubleOf(happening.exchange, say)
      return trouble && `${trouble.title}. ${trouble.text}`
    }
    default:
      return undefined
  }
}
