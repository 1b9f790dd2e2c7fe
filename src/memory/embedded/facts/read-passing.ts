// Who somebody is, said in passing: `Dana Reyes (CFO at Northwind)`, `Dana Reyes, CFO of Northwind, …`.

import { END, isCalendarWord, NAME, PROPER, trimName } from './fragments.ts'
import { OFFICE, splitOffice } from './read-work.ts'
import type { Finding } from './reading.ts'

const IN_PASSING = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}'’-])(?<name>${NAME})(?: \\((?:the |our |their )?(?<role>${OFFICE})(?:(?:,? (?:at|of|for|with|from|@)|,) (?<company>${PROPER}))?\\)|, (?:the )?(?<office>${OFFICE}),? (?:at|of|for) (?<firm>${PROPER})${END})`,
  'gu'
)

/** Written large at the beginning of a sentence, and no part of the name that follows. */
const LEADING =
  /^(?:Met|Meet|Call|Called|Calling|Meeting|Spoke|Talked|Chat|Demo|Lunch|Email|Emailed|Contact|Ask|Asked|Customer|Client|The|Our|New|With|From|To|And|Then|Today|Yesterday|Also|Per|Via|By|Intro|Introduced|Contacted|Contacts?|Attendees?|Present|Owner|Boss|Mr|Mrs|Ms|Dr)\.? /

export interface Introduction {
  name: string
  findings: Finding[]
}

export function introductionsIn(sentence: string): Introduction[] {
  if (!/[,(]/.test(sentence)) return []
  return [...sentence.matchAll(IN_PASSING)].flatMap(({ groups }) => {
    const name = (groups?.name ?? '').replace(LEADING, '')
    const [role, company] = splitOffice(groups?.role ?? groups?.office, groups?.company ?? groups?.firm)
    // All in capitals it is a short form, and what stands behind it the long one.
    if (!name || !role || isCalendarWord(name) || name === name.toUpperCase()) return []
    const findings: Finding[] = [{ kind: 'role', value: role }]
    if (company) findings.push({ kind: 'company', value: trimName(company) })
    return [{ name: trimName(name), findings }]
  })
}
