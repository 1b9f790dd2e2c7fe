// Customers as a reseller has them, with what they told their agents. `.example` domains receive no mail.

export interface Person {
  email: string
  firstName: string
  lastName: string
  companyName: string
  businessPhone?: string
  /** How many days ago it came. */
  since: number
  useCase: string
  languages: string[]
  hasPlan?: boolean
  /** `invited` has a portal, `suspended` had one. */
  portal?: 'invited' | 'suspended'
  deploymentStatus?: string
}

/** The first one's portal is what the pictures of the portal show. */
export const PEOPLE: readonly Person[] = [
  {
    email: 'lucia.alvarez@clinicasol.example',
    firstName: 'Lucía',
    lastName: 'Álvarez',
    companyName: 'Clínica Sol',
    businessPhone: '+34 915 550 143',
    since: 61,
    useCase: 'Books, moves and cancels appointments for four surgeries.',
    languages: ['es', 'ca', 'en'],
    hasPlan: true,
    portal: 'invited',
    deploymentStatus: 'completed'
  },
  {
    email: 'yamada@sakura-ryokan.example',
    firstName: '太郎',
    lastName: '山田',
    companyName: 'さくら旅館',
    businessPhone: '+81 75-555-0120',
    since: 54,
    useCase: 'Answers questions about rooms and takes reservations.',
    languages: ['ja', 'en'],
    hasPlan: true,
    portal: 'invited',
    deploymentStatus: 'agent_ready'
  },
  {
    email: 'sean@obrienmotors.example',
    firstName: 'Seán',
    lastName: 'O’Brien',
    companyName: 'O’Brien & Daughters Motors',
    businessPhone: '+353 1 555 0177',
    since: 47,
    useCase: 'Qualifies leads for used cars and books test drives.',
    languages: ['en'],
    portal: 'suspended',
    deploymentStatus: 'completed'
  },
  {
    email: 'jutta.mueller@mueller-haustechnik.example',
    firstName: 'Jutta',
    lastName: 'Müller-Weiß',
    companyName: 'Müller Haustechnik GmbH',
    since: 33,
    useCase: 'Takes emergency calls at night.',
    languages: ['de']
  },
  {
    email: 'ngozi@adeyemi-logistics.example',
    firstName: 'Ngozi',
    lastName: 'Adeyemi',
    companyName: 'Adeyemi Logistics',
    businessPhone: '+234 1 555 0199',
    since: 26,
    useCase: 'Tells callers where their delivery is.',
    languages: ['en', 'fr'],
    hasPlan: true,
    portal: 'invited'
  },
  {
    email: 'claire.dubois@dubois-notaires.example',
    firstName: 'Claire',
    lastName: 'Dubois',
    companyName: 'Dubois & Associés, Notaires',
    since: 19,
    useCase: 'Answers what papers an appointment needs.',
    languages: ['fr']
  },
  {
    email: 'ingrid@fjordhytter.example',
    firstName: 'Ingrid',
    lastName: 'Haugen',
    companyName: 'Fjordhytter AS',
    since: 9,
    useCase: 'Rents out cabins and tells how to get there.',
    languages: ['no', 'en'],
    portal: 'invited'
  },
  {
    email: 'amira.haddad@haddad-dental.example',
    firstName: 'Amira',
    lastName: 'Haddad',
    companyName: 'Haddad Dental',
    since: 2,
    useCase: 'Reminds patients of their appointments.',
    languages: ['ar', 'en'],
    hasPlan: true
  }
]

/** What the first customer's agent remembers, the oldest first. */
export const MEMORIES: readonly string[] = [
  'Lucía: My name is Lucía Álvarez and I run the front desk of Clínica Sol in Madrid.',
  'Lucía: We have four surgeries. Dr. Ferrer works on Mondays and Thursdays only.',
  'Lucía: New patients need thirty minutes, check-ups fifteen.',
  'Lucía: Please never book anything between 14:00 and 15:30, that is when we eat.',
  'Caller: Can I move my check-up from Tuesday to Friday morning?',
  'Agent: Señora Ortega’s check-up is moved to Friday at 9:15 with Dr. Ferrer’s colleague.',
  'Lucía: From October on we close at 18:00 on Fridays.',
  'Caller: Do you take Sanitas insurance?',
  'Agent: Told the caller that we take Sanitas, Adeslas and DKV.',
  'Lucía: Dr. Ferrer now works on Wednesdays as well.',
  'Caller: I would like to speak Catalan, is that possible?',
  'Agent: Went on in Catalan. Pere Vidal prefers Catalan.',
  'Lucía: Our new X-ray machine arrives on the 3rd; no imaging the day before.',
  'Caller: I have to cancel tomorrow, my son is ill.',
  'Lucía: The X-ray inspector comes on 14 March 2091 at 11:30.',
  'Agent: Cancelled tomorrow’s 10:30 of Carmen Ruiz. She will call next week.'
]

export const TEAM: readonly { email: string; name: string; role: string }[] = [
  { email: 'marta.ruiz@clinicasol.example', name: 'Marta Ruiz', role: 'admin' },
  { email: 'recepcion@clinicasol.example', name: 'Recepción', role: 'member' }
]
