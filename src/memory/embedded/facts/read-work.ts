// Who works where, as what.
import type { Clause } from './clause.ts'
import { atStart, END, isCalendarWord, PROPER, trimName } from './fragments.ts'
import { type Finding, NOTHING, type Reader } from './reading.ts'
import { ROLE_PHRASE, ROLE_SCOPE } from './roles.ts'

/** What somebody can be at a company. */
export const OFFICE = `(?:${ROLE_PHRASE}${ROLE_SCOPE}|[Hh]ead of (?:the )?[\\p{L}\\p{M}&]{2,24}(?: (?:and|&) [\\p{L}\\p{M}]{2,24}| [\\p{Lu}][\\p{L}\\p{M}]{1,24})?)`
const AT_COMPANY = `(?:,? (?:at|for|with|of|@) (?<company>${PROPER}))?`
const TITLE = `(?:CEO|CTO|CFO|COO|CMO|CIO|CISO|CPO|CRO|VP|SVP|EVP|[Hh]ead of|[Cc]o-founder|[Mm]anaging [Dd]irector|[Cc]hief)`

const WORKS_AT = atStart(
  `(?:as (?:an? |the )?(?<role>${ROLE_PHRASE}${ROLE_SCOPE}) )?(?:(?:full|part)[ -]time |remotely |again )?(?:at|for) (?<company>${PROPER})(?: as (?:an? |the |their )?(?<office>${OFFICE}))?${END}`
)
const WORKS_AS = atStart(`as (?:an? |the |their )?(?<role>${ROLE_PHRASE}${ROLE_SCOPE})${END}`)
const IS_OFFICE = atStart(`(?:an? |the |our |their |its )(?:new )?(?<role>${OFFICE})${AT_COMPANY}${END}`)
const IS_TITLE = atStart(`(?=${TITLE}\\b)(?<role>${OFFICE})${AT_COMPANY}${END}`)
const IS_OFFICE_AT = atStart(`(?<role>${OFFICE}),? (?:at|for|with) (?<company>${PROPER})${END}`)
const PROMOTED = atStart(
  `(?:promoted|made|appointed|named|hired as|elected)(?: to)?(?: be)? (?:an? |the |their )?(?<role>${OFFICE})${AT_COMPANY}${END}`
)
const BECAME = atStart(`(?:an? |the |their )?(?<role>${OFFICE})${AT_COMPANY}${END}`)
const JOINED = atStart(`(?<company>${PROPER}) as (?:an? |the |their )?(?<role>${OFFICE})${END}`)
const FOUNDED = atStart(`(?<company>${PROPER})${END}`)
const RUNS = atStart(
  `(?:an?|the|my|our|his|her|their) (?:[\\p{L}-]{2,20} ){0,3}?(?:business|company|firm|agency|shop|store|bakery|restaurant|cafe|café|studio|practice|clinic|startup|gym|salon|hotel|bar|farm)(?:,? (?:called|named)) (?<company>${PROPER})${END}`
)
const JOB_GONE = /^(?:my|his|her|their|the) (?:job|position|company|firm)\b/
const RETIRED = /^(?:$|[.!,]|(?:from|last|in|after|this|early|as)\b)/
const LEFT = atStart(`(?:from )?(?<company>${PROPER})${END}`)

/** Of an office, and of whom it is held with, what a match names. */
function jobOf(match: RegExpExecArray | null, clause: Clause): readonly Finding[] {
  const { role, office, company } = match?.groups ?? {}
  const isRetraction = clause.isDenied
  const findings: Finding[] = []
  const [as, at] = splitOffice(role ?? office, company)
  if (as) findings.push({ kind: 'role', value: as, isRetraction })
  if (at && !isCalendarWord(at)) findings.push({ kind: 'company', value: trimName(at), isRetraction })
  return findings
}

/** Those at the top are of a company: `CFO of Northwind`, as against `head of sales`. */
const OF_COMPANY = new RegExp(
  `^(?<role>.*(?:C[EFTOIMP]O|[Cc]o-?founder|[Ff]ounder|[Pp]resident|[Oo]wner|[Mm]anaging [Dd]irector)) of (?<company>${PROPER})$`,
  'u'
)

export function splitOffice(
  office: string | undefined,
  company: string | undefined
): [role: string | undefined, company: string | undefined] {
  const top = company ? undefined : OF_COMPANY.exec(office ?? '')?.groups
  return top ? [top.role, top.company] : [office, company]
}

const JOB_ENDED: readonly Finding[] = [
  { kind: 'company', value: '', isRetraction: true },
  { kind: 'role', value: '', isRetraction: true }
]

/** Of a person's present; `we` are many, and what lies ahead is a plan. */
const isOneNow = ({ person, isAhead }: Clause): boolean => person !== 'we' && !isAhead

export const WORK_READERS: readonly Reader[] = [
  {
    verbs: ['work', 'works', 'working'],
    read: (clause) =>
      isOneNow(clause) ? jobOf(WORKS_AT.exec(clause.rest) ?? WORKS_AS.exec(clause.rest), clause) : NOTHING
  },
  {
    verbs: ['am', 'is'],
    read: (clause) =>
      isOneNow(clause)
        ? jobOf(
            IS_OFFICE.exec(clause.rest) ?? IS_TITLE.exec(clause.rest) ?? IS_OFFICE_AT.exec(clause.rest),
            clause
          )
        : NOTHING
  },
  {
    verbs: ['was', 'got', 'been', 'promoted', 'appointed'],
    read(clause) {
      if (!isOneNow(clause) || clause.isDenied) return NOTHING
      const rest = /^(?:promoted|appointed)$/.test(clause.verb)
        ? `${clause.verb} ${clause.rest}`
        : clause.rest
      if (/^(?:just |recently )?(?:fired(?! up)|laid off|let go|made redundant|sacked)\b/.test(rest))
        return JOB_ENDED
      if (clause.verb === 'been') return jobOf(IS_OFFICE.exec(rest) ?? PROMOTED.exec(rest), clause)
      return jobOf(PROMOTED.exec(rest.replace(/^(?:just|recently) /, '')), clause)
    }
  },
  {
    verbs: ['became'],
    read: (clause) =>
      isOneNow(clause) && !clause.isDenied ? jobOf(BECAME.exec(clause.rest), clause) : NOTHING
  },
  {
    verbs: ['joined'],
    read: (clause) =>
      isOneNow(clause) && !clause.isDenied ? jobOf(JOINED.exec(clause.rest), clause) : NOTHING
  },
  {
    verbs: ['founded', 'co-founded', 'cofounded'],
    read(clause) {
      const company = FOUNDED.exec(clause.rest)?.groups?.company
      if (!company || clause.isDenied || !isOneNow(clause)) return NOTHING
      return [
        { kind: 'role', value: 'founder' },
        { kind: 'company', value: trimName(company) }
      ]
    }
  },
  {
    verbs: ['run', 'runs', 'running', 'own', 'owns'],
    read: (clause) => (clause.isAhead ? NOTHING : jobOf(RUNS.exec(clause.rest), clause))
  },
  {
    verbs: ['left', 'quit', 'lost', 'resigned', 'retired'],
    read(clause) {
      if (!isOneNow(clause) || clause.isDenied) return NOTHING
      if (/^(?:resigned|retired)$/.test(clause.verb)) return RETIRED.test(clause.rest) ? JOB_ENDED : NOTHING
      if (JOB_GONE.test(clause.rest)) return JOB_ENDED
      const left = LEFT.exec(clause.rest)?.groups?.company
      if (!left || clause.verb === 'lost') return NOTHING
      // Whether it is an employer or a town, what is known of the subject tells.
      return (['company', 'place'] as const).map((kind) => ({
        kind,
        value: trimName(left),
        isRetraction: true
      }))
    }
  }
]
