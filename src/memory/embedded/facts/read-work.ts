// Who works where, as what.
import { wordList } from '../word-lists.ts'
import type { Clause } from './clause.ts'
import type { Finding, Reader } from './reading.ts'
import { atStart, END, groupsIn, isCalendarWord, NOT_OF_ONE_NOW, PROPER, trimName } from './reading.ts'
import { peopleIn } from './subjects.ts'

/** What people are by profession: the last word of a role. `I'm a …` is said of everything else, too. */
const PROFESSIONS = `
accountant actor actress administrator adviser advisor analyst apprentice architect attorney auditor author baker banker
barber barista bartender bookkeeper broker butcher buyer carpenter cashier caterer chairman chairwoman chauffeur chef
cleaner clerk coach columnist composer conductor consultant contractor controller cook coordinator courier curator
designer detective developer director dispatcher doctor driver editor engineer entrepreneur executive farmer firefighter
founder freelancer gardener hairdresser illustrator inspector instructor intern interpreter investor janitor jeweler
judge landlord lawyer lecturer librarian mechanic manager midwife nanny notary nurse officer owner paralegal paramedic
pastor philosopher photographer physiotherapist pilot plumber policeman policewoman postman president principal producer
professor programmer publisher realtor receptionist recruiter reporter rep representative researcher roofer salesman
saleswoman sculptor seamstress secretary soldier solicitor steward stewardess strategist student supervisor surgeon
surveyor tailor teacher technician therapist trader trainer translator treasurer trustee tutor veterinarian waiter
waitress welder writer
`

/** What others end in: cardiologist, optician, locksmith. */
const OF_PROFESSIONS =
  '[\\p{L}]{2,16}(?:ologist|onomist|iatrist|entist|ontist|macist|alist|ianist|inist|ician|grapher|therapist|keeper|smith|worker|writer)'

const TITLES = 'CEO|CTO|CFO|COO|CMO|CIO|CISO|CPO|CRO|CHRO|VP|SVP|EVP|AVP|MD'

const ROLE_HEAD = `(?:${TITLES}|[Cc]o-?(?:founder|owner)|(?:[Vv]ice[ -])?[Pp]resident|[Cc]hief of [Ss]taff|${wordList(
  PROFESSIONS
)
  .map((word) => `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`)
  .join('|')}|${OF_PROFESSIONS})`

/** What a role is led by without being an office: praise, the past, a dream. */
const NOT_OF_A_ROLE =
  'of|the|a|an|to|who|that|with|and|or|for|in|at|on|by|not|never|no|such|my|your|his|her|best|better|good|great|' +
  'amazing|awesome|wonderful|fantastic|incredible|terrible|bad|big|huge|real|true|natural|born|little|former|ex|' +
  'aspiring|future|would-be|wannabe|potential|retired|previous|like|than|as|bit|kind|sort|only|same|new-found'

/** Up to four words before the head; each is one that can belong to an office. */
const ROLE_PHRASE = `(?:(?!(?:${NOT_OF_A_ROLE})\\b)[\\p{L}\\p{M}&/-]{1,24} ){0,4}?${ROLE_HEAD}(?![\\p{L}'-])`

/** `of engineering`, `for the Nordics`: what an office is over, up to four words of it. */
const ROLE_SCOPE = `(?: (?:of (?!(?:my|your|his|her|their|our|us|me|you|it)\\b)(?:the |an? )?|for (?:the (?!(?:last|past|first|next)\\b)|(?=\\p{Lu})))[\\p{L}\\p{M}&-]{2,24}(?:(?: and| &|,)? (?!(?:at|in|and|but|who|which|with|for|now|since)\\b)[\\p{L}\\p{M}&-]{2,24}){0,3})?`

export const OFFICE = `(?:${ROLE_PHRASE}${ROLE_SCOPE}|[Hh]ead of (?:the )?[\\p{L}\\p{M}&]{2,24}(?: (?:and|&) [\\p{L}\\p{M}]{2,24}| [\\p{Lu}][\\p{L}\\p{M}]{1,24})?)`
const AT_COMPANY = `(?:,? (?:at|for|with|of|@) (?<company>${PROPER}))?`
const TITLE = `(?:CEO|CTO|CFO|COO|CMO|CIO|CISO|CPO|CRO|VP|SVP|EVP|[Hh]ead of|[Cc]o-founder|[Mm]anaging [Dd]irector|[Cc]hief)`

const WORKS_AT = atStart`(?:as (?:an? |the )?(?<role>${ROLE_PHRASE}${ROLE_SCOPE}) )?(?:(?:full|part)[ -]time |remotely |again )?(?:at|for) (?<company>${PROPER})(?: as (?:an? |the |their )?(?<office>${OFFICE}))?${END}`
const WORKS_AS = atStart`as (?:an? |the |their )?(?<role>${ROLE_PHRASE}${ROLE_SCOPE})${END}`
const IS_OFFICE = atStart`(?:an? |the |our |their |its )(?:new )?(?<role>${OFFICE})${AT_COMPANY}${END}`
const IS_TITLE = atStart`(?=${TITLE}\b)(?<role>${OFFICE})${AT_COMPANY}${END}`
const IS_OFFICE_AT = atStart`(?<role>${OFFICE}),? (?:at|for|with) (?<company>${PROPER})${END}`
const PROMOTED = atStart`(?:promoted|made|appointed|named|hired as|elected)(?: to)?(?: be)? (?:an? |the |their )?(?<role>${OFFICE})${AT_COMPANY}${END}`
const BECAME = atStart`(?:an? |the |their )?(?<role>${OFFICE})${AT_COMPANY}${END}`
const JOINED = atStart`(?<company>${PROPER}) as (?:an? |the |their )?(?<role>${OFFICE})${END}`
const COMPANY = atStart`(?<company>${PROPER})${END}`
const RUNS = atStart`(?:an?|the|my|our|his|her|their) (?:[\p{L}-]{2,20} ){0,3}?(?:business|company|firm|agency|shop|store|bakery|restaurant|cafe|café|studio|practice|clinic|startup|gym|salon|hotel|bar|farm)(?:,? (?:called|named)) (?<company>${PROPER})${END}`
const JOB_GONE = /^(?:my|his|her|their|the) (?:job|position|company|firm)\b/
const RETIRED = /^(?:$|[.!,]|(?:from|last|in|after|this|early|as)\b)/
const LEFT = atStart`(?:from )?(?<company>${PROPER})${END}`

/** Those at the top are of a company: `CFO of Northwind`, as against `head of sales`. */
const OF_COMPANY = atStart`(?<role>.*(?:C[EFTOIMP]O|[Cc]o-?founder|[Ff]ounder|[Pp]resident|[Oo]wner|[Mm]anaging [Dd]irector)) of (?<company>${PROPER})$`

function splitOffice(office: string | undefined, company: string | undefined) {
  const top = company ? undefined : OF_COMPANY.exec(office ?? '')?.groups
  return top ? ([top.role, top.company] as const) : ([office, company] as const)
}

const job = (...patterns: readonly RegExp[]) => {
  return ({ rest, isDenied: isRetraction }: Clause): readonly Finding[] => {
    const { role, office, company } = groupsIn(rest, ...patterns)
    const [as, at] = splitOffice(role ?? office, company)
    return [
      ...(as ? [{ kind: 'role' as const, value: as, isRetraction }] : []),
      ...(at && !isCalendarWord(at) ? [{ kind: 'company' as const, value: trimName(at), isRetraction }] : [])
    ]
  }
}

const JOB_ENDED: readonly Finding[] = [
  { kind: 'company', value: '', isRetraction: true },
  { kind: 'role', value: '', isRetraction: true }
]

const FIRED = /^(?:just |recently )?(?:fired(?! up)|laid off|let go|made redundant|sacked)\b/

function promotion(clause: Clause): readonly Finding[] {
  const { verb } = clause
  const rest = /^(?:promoted|appointed)$/.test(verb) ? `${verb} ${clause.rest}` : clause.rest
  if (FIRED.test(rest)) return JOB_ENDED
  if (verb === 'been') return job(IS_OFFICE, PROMOTED)({ ...clause, rest })
  return job(PROMOTED)({ ...clause, rest: rest.replace(/^(?:just|recently) /, '') })
}

function founding({ rest }: Clause): readonly Finding[] {
  const { company } = groupsIn(rest, COMPANY)
  if (!company) return []
  return [
    { kind: 'role', value: 'founder' },
    { kind: 'company', value: trimName(company) }
  ]
}

function leaving({ verb, rest }: Clause): readonly Finding[] {
  if (/^(?:resigned|retired)$/.test(verb)) return RETIRED.test(rest) ? JOB_ENDED : []
  if (JOB_GONE.test(rest)) return JOB_ENDED
  const { company: left } = groupsIn(rest, LEFT)
  if (!left || verb === 'lost') return []
  // Whether it is an employer or a town, what is known of the subject tells.
  return (['company', 'place'] as const).map((kind) => ({ kind, value: trimName(left), isRetraction: true }))
}

const NOT_SO = [...NOT_OF_ONE_NOW, 'isDenied'] as const

export const WORK_READERS: readonly Reader[] = [
  ['work works working', NOT_OF_ONE_NOW, job(WORKS_AT, WORKS_AS)],
  ['am is', NOT_OF_ONE_NOW, job(IS_OFFICE, IS_TITLE, IS_OFFICE_AT)],
  ['was got been promoted appointed', NOT_SO, promotion],
  ['became', NOT_SO, job(BECAME)],
  ['joined', NOT_SO, job(JOINED)],
  ['founded co-founded cofounded', NOT_SO, founding],
  ['run runs running own owns', ['isAhead'], job(RUNS)],
  ['left quit lost resigned retired', NOT_SO, leaving]
]

/** Who somebody is, said in passing: `Dana Reyes (CFO at Northwind)`, `Dana Reyes, CFO of Northwind, …`. */
const IN_PASSING = atStart`(?: \((?:the |our |their )?(?<role>${OFFICE})(?:(?:,? (?:at|of|for|with|from|@)|,) (?<company>${PROPER}))?\)|, (?:the )?(?<office>${OFFICE}),? (?:at|of|for) (?<firm>${PROPER})${END})`

/** The people whom a sentence introduces, and what it says of them. */
export function introductionsIn(sentence: string) {
  if (!/[,(]/.test(sentence)) return []
  return peopleIn(sentence, 'en').flatMap(({ name, index }) => {
    const told = groupsIn(sentence.slice(index + name.length), IN_PASSING)
    const [role, company] = splitOffice(told.role ?? told.office, told.company ?? told.firm)
    if (!role) return []
    const findings: Finding[] = [{ kind: 'role', value: role }]
    if (company) findings.push({ kind: 'company', value: trimName(company) })
    return [{ name, findings }]
  })
}
