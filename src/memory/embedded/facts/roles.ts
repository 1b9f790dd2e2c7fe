// What people are by profession: the last word of a role. `I'm a …` is said of everything else, too.

const HEADS = `
accountant actor actress administrator adviser advisor agronomist analyst anesthesiologist anthropologist apprentice
archaeologist architect astronomer attorney auditor author baker banker barber barista bartender beautician biologist
bookkeeper botanist bricklayer broker butcher buyer cardiologist carpenter cashier caterer ceramicist chairman chairperson
chairwoman chauffeur chef chemist chiropractor choreographer cinematographer cleaner clerk coach cobbler columnist composer
conductor consultant contractor controller cook coordinator copywriter counsellor counselor courier curator dentist
dermatologist designer detective developer dietitian director dispatcher doctor driver economist editor electrician
engineer entrepreneur epidemiologist executive farmer firefighter florist founder freelancer gardener geologist
goldsmith gynecologist hairdresser hairstylist headmaster historian housekeeper hygienist illustrator inspector
instructor intern interpreter investor janitor jeweler journalist judge lawyer lecturer librarian lifeguard linguist
lobbyist locksmith machinist manager masseuse mathematician mechanic mediator meteorologist microbiologist midwife
musician nanny neurologist neuroscientist notary novelist nurse nutritionist obstetrician officer optician optometrist
orthodontist osteopath owner paralegal paramedic pastor pediatrician pharmacist philosopher photographer physician
physicist physiotherapist pianist pilot plumber podcaster podiatrist policeman policewoman politician postman president
principal producer professor programmer proofreader psychiatrist psychologist psychotherapist publicist publisher
radiographer radiologist realtor receptionist recruiter reporter rep representative researcher restaurateur roofer
salesman salesperson saleswoman scientist screenwriter sculptor seamstress secretary sociologist soldier solicitor
specialist statistician steward stewardess strategist student stylist superintendent supervisor surgeon surveyor tailor
teacher technician technologist therapist trader trainer translator treasurer trustee tutor underwriter veterinarian
violinist waiter waitress welder winemaker woodworker writer zoologist
`

const PLAIN = HEADS.trim().split(/\s+/)

/** Said without an article, too. */
const TITLES = 'CEO|CTO|CFO|COO|CMO|CIO|CISO|CPO|CRO|CHRO|VP|SVP|EVP|AVP|MD'

/** The last word of a role. */
const ROLE_HEAD = `(?:${TITLES}|[Cc]o-?(?:founder|owner)|(?:[Vv]ice[ -])?[Pp]resident|[Cc]hief of [Ss]taff|${PLAIN.map(
  (word) => `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`
).join('|')})`

/** What a role is led by without being an office: praise, the past, a dream. */
const NOT_OF_A_ROLE =
  'of|the|a|an|to|who|that|with|and|or|for|in|at|on|by|not|never|no|such|my|your|his|her|best|better|good|great|' +
  'amazing|awesome|wonderful|fantastic|incredible|terrible|bad|big|huge|real|true|natural|born|little|former|ex|' +
  'aspiring|future|would-be|wannabe|potential|retired|previous|like|than|as|bit|kind|sort|only|same|new-found'

/** Up to four words before the head; each is one that can belong to an office. */
export const ROLE_PHRASE = `(?:(?!(?:${NOT_OF_A_ROLE})\\b)[\\p{L}\\p{M}&/-]{1,24} ){0,4}?${ROLE_HEAD}(?![\\p{L}'-])`

/** `of engineering`, `for the Nordics`: what an office is over, up to four words of it. */
export const ROLE_SCOPE = `(?: (?:of (?!(?:my|your|his|her|their|our|us|me|you|it)\\b)(?:the |an? )?|for (?:the (?!(?:last|past|first|next)\\b)|(?=\\p{Lu})))[\\p{L}\\p{M}&-]{2,24}(?:(?: and| &|,)? (?!(?:at|in|and|but|who|which|with|for|now|since)\\b)[\\p{L}\\p{M}&-]{2,24}){0,3})?`
