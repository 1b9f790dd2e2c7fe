// What English clauses state, as one table of patterns. Whatever isn't said in one of these plain ways is left alone,
// because a wrong fact in a profile is worse than none. Every repetition is bounded, so that no text makes one slow.
import { isTimeWord } from '../attributes/shapes.ts'
import { type Clause, clausesIn, NAME, type Speech } from './clauses.ts'
import type { FactKind, Subject } from './fact.ts'
import {
  topicOfGoal,
  topicOfHealth,
  topicOfPlan,
  topicOfPreference,
  topicOfRelation,
  topicOfThing,
  topicsOfPlan
} from './topics.ts'

export interface Finding {
  kind: FactKind
  value: string
  topic?: string
  isRetraction?: boolean
  /** Whether one mention isn't enough, unless it is of the customer. */
  needsRepeating?: boolean
}

export interface Statement {
  subject: Subject
  finding: Finding
}

/** What an English sentence states, and of whom. */
export const englishStatements = (sentence: string, speech: Speech): Statement[] =>
  clausesIn(sentence, speech)
    .filter(({ isAhead }) => !isAhead)
    .flatMap((clause) =>
      PATTERNS.flatMap((pattern) => {
        const { groups } = pattern.exec(clause.text) ?? {}
        if (!groups) return []
        const findings = Object.entries(TELLS).flatMap(([group, tell]) => {
          const value = groups[group]?.trim()
          return value ? tell(value, clause, groups) : []
        })
        return findings
          .filter(({ kind }) => clause.person !== 'we' || OF_SEVERAL.has(kind))
          .map((finding) => ({ subject: clause.subject, finding }))
      })
    )

/** What `we` tells of whoever says it. */
const OF_SEVERAL: ReadonlySet<FactKind> = new Set(['plan', 'place', 'relation'])

// What the patterns are made of.

const CAPITALISED = "\\p{Lu}[\\p{L}\\p{M}\\d'’&./-]{0,30}"
const PROPER = `(?:[Tt]he )?${CAPITALISED}(?: (?:(?:of|for|and|&|de|da|do|the) )?${CAPITALISED}){0,4}`
const COMPANY = `(?<company>${PROPER})`
const TOWN = `(?:the )?${CAPITALISED}(?: (?:(?:of|de|da|do|la) )?${CAPITALISED}){0,3}(?:, ${CAPITALISED}(?: ${CAPITALISED}){0,2}){0,2}`
const PLACE = `(?<place>${TOWN})`

/** Where a name has ended: what follows begins something else. */
const END =
  "(?=[.!…]*$|[,;:()—–!]| [-—–(]| (?:as|in|and|but|since|for|with|now|because|where|which|who|on|from|near|this|last|so|until|till|when|these|after|before|at|full|part|too|again|there|by|then|to|under|over|about|next|right|though|while|also|already|today|or)(?![\\p{L}'-]))"

/** Points at what was said before, at the listener or at what is around: nothing that can be told by itself. */
const VAGUE =
  '\\b(?:you|yours?|him|it|them|these|those|that|either|here|there|something|somewhere|someone|things?|stuff|ones?|few|more|which|who|whose|what|how|than|this (?!week|weekend|month|year|spring|summer|autumn|fall|winter))\\b'

/** Nothing to like; in talk an article points at what is before the speakers. */
const NO_THING =
  '(?:my|me|us|our|his|her|their|its|not|all|both|each|some|other|most|less|so|every\\w*|nothing|anything|the|an?|such|being|having|hearing|seeing|when|where|to (?:hear|see|know|be|have|do|get|say|think))\\b|to(?:[,;!.]|$)'

/** Where anything else but a name has ended. */
const STOP =
  '[,;!?()…—–]|\\.(?:\\s|$)|:(?!\\d)| - | (?:because|since|while|but|so|although|though|for now|right now|and (?:I|he|she|we|they|it|is|am|was|has|have|will))(?:\\s|$)'
const MAY_REST = `(?:(?!${STOP}|${VAGUE}).){0,110}(?=${STOP}|$)`
const REST = `(?!${STOP})${MAY_REST}`
const THING = `(?!${NO_THING})${REST}`

/** What people are by profession: the last word of a role. `I'm a …` is said of everything else, too. */
const PROFESSIONS =
  'accountant|a[cg]ent|advis[oe]r|analyst|architect|assistant|attorney|author|baker|banker|barber|broker|builder|butcher|buyer|carpenter|cashier|chef|cleaner|clerk|coach|consultant|controller|cook|coordinator|designer|developer|director|doctor|driver|editor|electrician|engineer|executive|farmer|firefighter|freelancer|gardener|hairdresser|inspector|instructor|intern|investor|joiner|judge|landlord|lawyer|lecturer|librarian|manager|mechanic|midwife|musician|nanny|nurse|officer|owner|painter|paralegal|paramedic|photographer|pilot|plumber|producer|professor|programmer|publisher|realtor|receptionist|recruiter|representative|researcher|roofer|secretary|solicitor|student|supervisor|surgeon|surveyor|tailor|teacher|technician|trader|trainer|translator|tutor|vet|waiter|waitress|welder|writer|[\\p{L}]{2,16}(?:ologist|onomist|iatrist|entist|macist|alist|ician|grapher|therapist|keeper|smith|worker)'
const TITLE =
  '(?:C[EFTOIMP]O|CISO|CRO|[ES]?VP|(?:[Vv]ice[ -])?[Pp]resident|[Cc]o-?(?:founder|owner)|[Ff]ounder|[Mm]anaging [Dd]irector|[Hh]ead|[Cc]hief of [Ss]taff)'
const OFFICE = `(?:${TITLE}|${PROFESSIONS.replace(/(?<=^|\|)[a-z]/g, (first) => `[${first.toUpperCase()}${first}]`)})(?![\\p{L}'-])`

/** What a role is led by without being an office: praise, the past, a dream. */
const NO_ROLE =
  'of|the|an?|to|who|that|with|and|or|for|in|at|on|by|not|never|no|such|my|your|his|her|best|better|good|great|amazing|awesome|wonderful|terrible|bad|big|huge|real|true|natural|born|little|former|ex|aspiring|future|would-be|potential|retired|previous|like|than|as|bit|kind|sort|only|same'

/** What an office is over, `of engineering`, `for the Nordics`; those at the top are of a company. */
const SCOPE =
  '(?: (?:(?<!(?:C[EFTOIMP]O|ounder|resident|wner|anaging [Dd]irector) (?=of \\p{Lu}))of (?!(?:my|your|his|her|their|our|us|me|you|it)\\b)(?:the |an? )?|for (?:the (?!(?:last|past|first|next)\\b)|(?=\\p{Lu})))[\\p{L}\\p{M}&-]{2,24}(?:(?: and| &)? (?!(?:at|in|and|but|who|which|with|for|now|since)\\b)[\\p{L}\\p{M}&-]{2,24}){0,3})?'
const ROLE = `(?<role>(?:(?!(?:${NO_ROLE})\\b)[\\p{L}\\p{M}&/-]{1,24} ){0,4}?${OFFICE}${SCOPE})`
const JOB = `(?:an? |the |our |their |its )?(?:new )?${ROLE}(?:,? (?:at|for|with|of|from|@|,) ${COMPANY})?${END}`

const RELATION =
  '(?<relation>wife|husband|spouse|partner|girlfriend|boyfriend|fiancée?|(?:step|god|grand)?(?:mother|father|son|daughter)(?:-in-law)?|mom|mum|dad|grandma|grandpa|boss|manager|assistant|accountant|lawyer|doctor|dentist|landlord|supervisor|child|kid|baby|(?:brother|sister)(?:-in-law)?|twin|cousin|aunt|uncle|nephew|niece|(?:best )?friend|roommate|neighbou?r|colleague|co-?worker|teacher|coach|dog|cat|puppy|kitten|parrot|horse|rabbit|pet)'

/** People and teams move to products and plans, too: `HubSpot`, `Premium`. */
const NO_PLACE =
  '(?!\\p{L}*\\p{Ll}\\p{Lu}|[\\p{L}]*\\d|(?:Premium|Pro|Plus|Basic|Starter|Growth|Business|Enterprise|Standard|Slack|Zoom|Teams|Notion|Google|Microsoft|Shopify|Salesforce|Stripe)(?![\\p{L},]))'

/** The text between the backticks as a pattern, its backslashes as they stand, for the beginning of a clause. */
const start = (literals: TemplateStringsArray, ...pieces: readonly string[]): RegExp =>
  new RegExp(`^(?:${String.raw(literals, ...pieces)})`, 'u')

/** What is stated, in groups that {@link TELLS} makes facts of; in a note also behind a label. */
const PATTERNS: readonly RegExp[] = [
  start`(?:own )?(?:full )?name(?: is|:) (?<name>${NAME})${END}`,
  start`work(?:s|ing)? (?:(?:full|part)[ -]time |remotely |again )?as ${JOB}`,
  start`work(?:s|ing)? (?:(?:full|part)[ -]time |remotely |again )?(?:at|for) ${COMPANY}(?: as (?:an? |the |their )?${ROLE})?${END}`,
  start`is (?=(?:an?|the|our|their|its) |${TITLE})${JOB}`,
  start`is ${ROLE},? (?:at|for|with) ${COMPANY}${END}`,
  start`(?:(?:(?:was|got|is) )?(?:promoted|appointed|made|named)(?: to)?|became) ${JOB}`,
  start`joined ${COMPANY} as (?:an? |the |their )?${ROLE}${END}`,
  start`(?:own )?(?:new |current )?(?:job title|job|role|title|position|profession|occupation)(?: is|:) ${JOB}`,
  start`(?:own )?(?:new |current )?(?:company|employer|business|firm)(?:'s name)?(?: is|:) (?:called )?${COMPANY}${END}`,
  start`(?:left|quit) (?:from )?(?<left>${PROPER})${END}`,
  start`(?<jobless>(?:left|quit|lost) (?:my|his|her|their|the) (?:job|position|company|firm)\b|(?:(?:was|got|is) )?(?:fired|laid off|let go|made redundant)(?! up)\b|(?:resigned|retired)(?:$|[.!,]| (?:from|last|in|after|this|early|as)\b))`,
  start`(?:liv|resid)(?:e|es|ing) (?:back )?in ${PLACE}${END}`,
  start`(?:is )?(?:based|located|headquartered) (?:in|out of) ${PLACE}${END}`,
  start`(?:moved|relocated) (?:back |over |out |here ){0,2}(?:from ${TOWN} )?to ${NO_PLACE}${PLACE}(?: from ${TOWN})?${END}`,
  start`(?:own )?(?:new |current )?(?:home|home ?town|location|headquarters|city)(?: is|:) (?:now )?(?:in )?${PLACE}${END}`,
  start`(?:is )?(?:an? )?(?:strict )?(?<health>vegetarian|vegan|pescatarian|(?:lactose|gluten)[- ]intolerant|co?eliac|diabetic|teetotal|colou?r[- ]?blind|wheelchair user|hard of hearing)${END}`,
  start`(?:is )?(?:severely |highly )?(?<health>allergic to (?:[a-z-]{2,20} ){0,2}[a-z-]{2,20})(?=[.,;!)]|$| (?:and|but|so|since)\b)`,
  start`speaks? (?:fluent |native |some |a little )?(?<language>(?:only )?\p{Lu}\p{Ll}{2,15}(?:(?:, and | and |, )\p{Lu}\p{Ll}{2,15}){0,4})(?: fluently| well)?${END}`,
  start`own (?:(?:older|younger|eldest|oldest|youngest|big|little|late|new|dear) )?${RELATION}(?:'s name is|,| is| is called| is named| named| called)? (?<relative>${NAME})(?![\p{L}\p{M}'-])`,
  start`(?:have|has|got|adopted) (?:an?|one|two|three|four|another) (?:[\p{L}-]{2,20} ){0,2}?${RELATION}(?:s|ren)?,? (?:named|called) (?<relative>${NAME})(?:(?:,| and) (?<second>${NAME}))?${END}`,
  start`own (?:main |biggest |big |long-term |current |personal )?(?:goal|aim|objective) is (?:to )?(?<goal>${REST})`,
  start`(?:(?:like|love|enjoy|adore)s(?: also)?(?: the| an?)?|(?:like|love|enjoy|adore)|(?:lik|lov|enjoy|ador)ing) (?:also )?(?<like>${THING})`,
  start`is (?:an? )?(?:(?:big|huge|great|real) )?(?:fan of|fond of|keen on|passionate about|into) (?<like>${THING})`,
  start`(?:(?:hate|dislike|detest|loathe)s(?: the| an?)?|(?:hate|dislike|detest|loathe)|(?:hat|dislik)ing|cannot stand) (?<dislike>${THING})`,
  start`(?:would )?prefer(?:s|ring)? (?<preference>${REST})`,
  start`please (?:(?<only>(?:only|always) )|(?<not>do not|never) )?(?<act>call|phone|text|e-?mail|contact|write)(?: to)?(?: (?:me|us|him|her|them))? (?<how>(?:only )?(?:after|before|between|on|in the|at|by|via|during|from|outside) ${REST})`,
  start`wants? (?:any |our |more )?(?<unwanted>(?:to (?:be|get|receive) )?(?:any |more )?(?:called|calls?|contacted|e-?mailed|e-?mails?|texts?|texted|phoned|marketing|promotional|newsletters?|reminders?)\b${MAY_REST})`,
  start`(?:want|aim|hop)(?:e|s|es|ing)? to (?!(?:hear|see|know|be there|thank|say|share|tell|ask|talk|speak|make sure|check|let)\b)(?<goal>${REST})`,
  start`plan(?:s|ning)? (?:to |on (?=\p{L}{1,20}ing\b)|(?=(?:an?|our|my|the|his|her|their) ))(?<plan>${REST})`,
  start`(?:(?:cancell?ed|dropped|scrapped|abandoned|shelved|called off)(?: the| my| our| his| her| their)?|decided (?:not to|against)) (?<dropped>${REST})`
]

// What is made of them.

type Tell = (value: string, clause: Clause, groups: Partial<Record<string, string>>) => readonly Finding[]

const told = (kind: FactKind, value: string, topic = '', isRetraction = false): readonly Finding[] => [
  { kind, topic, value, isRetraction, needsRepeating: kind === 'like' || kind === 'goal' }
]

const proper =
  (kind: FactKind): Tell =>
  (value, { isDenied }) =>
    isTimeWord(value.split(' ', 1)[0] ?? '') ? [] : told(kind, trimName(value), '', isDenied)

const trimName = (name: string): string => name.replace(/[.,'’&/-]+$/u, '').replace(/'s$/, '')

/** `Doesn't like` is a dislike, and `no longer likes` only the end of a liking. */
const taste =
  (likes: boolean): Tell =>
  (value, { isDenied, isEnded }) => {
    const thing = value.replace(/ (?:too|as well|sometimes|a lot|very much|so much|the most|a bit)$/i, '')
    const verb = likes === (isDenied && !isEnded) ? 'dislikes' : 'likes'
    return thing.split(' ').length > 6 ? [] : told('like', `${verb} ${thing}`, topicOfThing(thing), isEnded)
  }

const plan: Tell = (value, { isDenied }) => {
  const topic = topicOfPlan(value)
  return isDenied ? dropped(value) : topic ? told('plan', value, topic) : []
}

const gone = (kind: FactKind, value = '') => told(kind, value, '', true)

const dropped = (act: string): readonly Finding[] =>
  topicsOfPlan(act).flatMap((topic) => told('plan', '', topic, true))

const TELLS: Readonly<Record<string, Tell>> = {
  name: proper('name'),
  role: proper('role'),
  company: proper('company'),
  place: proper('place'),
  // Whether it is an employer or a town, what is known of the subject tells.
  left: (value) => [...gone('company', trimName(value)), ...gone('place', trimName(value))],
  jobless: (_, { isDenied }) => (isDenied ? [] : [...gone('company'), ...gone('role')]),
  health: (value, { isDenied }) => told('health', value, topicOfHealth(value), isDenied),
  language: (value, { isDenied }) =>
    told('preference', `speaks ${isDenied ? 'no ' : ''}${value}`, 'language'),
  relation: (relation, { isDenied }, { relative = '', second = '' }) =>
    [relative, second].map(trimName).flatMap((name) => {
      const value = `${relation} ${name}`
      return !name || isTimeWord(name)
        ? []
        : told('relation', value, topicOfRelation(relation, name), isDenied)
    }),
  like: taste(true),
  dislike: taste(false),
  preference: (value, { isDenied }) => told('preference', value, topicOfPreference(value), isDenied),
  act: (act, _, { only = '', not, how }) =>
    told('preference', `${not ? 'not ' : only}to ${act} ${how}`, topicOfPreference(`call ${how}`)),
  unwanted: (value, { isDenied }) => {
    const refused = `${value.startsWith('to ') ? 'not' : 'no'} ${value}`
    return isDenied ? told('preference', refused, topicOfPreference(value.replace(/^to /, ''))) : []
  },
  goal: (value, { isDenied, isEnded }) =>
    isDenied && !isEnded ? [] : told('goal', value, topicOfGoal(value), isEnded),
  plan,
  dropped
}
