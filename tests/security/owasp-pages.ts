// OWASP's risks at what is mounted beside the operations: kinds of pages, and what speaks to programs, agents and browsers.
import { by, type Row } from './owasp-cells.ts'

const anybody = by('security/routes', 'just what anybody may see is answered')
const answers = by(
  'security/routes',
  'no answer is a fault of ours, tells how it came about, or lets another site’s page read it'
)
const methods = by('security/routes', '%s does nothing anywhere, and isn’t echoed')
const forms = by('security/routes', 'no form of another site is taken by a page')
const headers = by('portal/cookies', 'come with HSTS over https, and without it over http')
const listed = by('security/owasp', 'has a row of every operation, page and route, and of nothing else')
const documented = by('security/owasp', 'every path of an API is in its documents')
const sizes = by('limits/sizes', 'is refused with 414 when its URL is longer than 8 KiB')
const ofOperations = 'It acts by operations alone, which have rows of their own.'
const nothingForeign = 'It asks nobody outside but by operations.'
const noAddress = 'It takes no address.'

/** What people see who are signed in. */
const INSIDE = {
  API2: [
    anybody,
    by('portal/session-ends', 'ends when it wasn’t used for a week, or a month after it began')
  ],
  API3: 'It takes what its operations take, and shows what they answer.',
  API4: [
    by(
      'portal/visit-limits',
      'is refused beyond a budget that all sessions of theirs share, pages and chat together'
    )
  ],
  API6: ofOperations,
  API7: noAddress,
  API8: [answers, forms, headers, methods],
  API9: [listed],
  API10: nothingForeign
} satisfies Partial<Row>

export const OF_CONSOLE: Row = {
  ...INSIDE,
  API1: [
    by('portal/console-customers-boundaries', 'has no page and takes no form, by id or by code'),
    by('security/foreign-ids', '%s knows no more than ids that nobody has, and changes nothing')
  ],
  API5: [
    by('portal/console-roles', 'opens just the pages that are held by its scopes'),
    by('portal/console-roles', 'is shown just the forms that it may send')
  ]
}

export const OF_PORTAL: Row = {
  ...INSIDE,
  API1: [
    by('portal/customer-boundaries', 'are not there for %s, and nothing changes'),
    by('portal/customer-boundaries', 'another partner’s portal takes nobody’s session')
  ],
  API5: [
    by('portal/customer-boundaries', 'is offered nothing that changes anything'),
    by('portal/customer-boundaries', 'can’t %s')
  ]
}

/** What is about whoever is signed in: password, sessions, factors. */
export const ONES_OWN: Row = {
  ...INSIDE,
  API1: [
    by('portal/account', 'ends nobody else’s session'),
    by(
      'portal/second-factors',
      'is added and removed with the present password alone, and only by whose it is'
    )
  ],
  API5: 'What is one’s own is everybody’s, whatever the role.',
  API6: [by('portal/account', 'lets nobody guess the present password without end')]
}

/** The ways in. */
export const ENTERING: Row = {
  ...INSIDE,
  API1: [
    by('portal/links', 'is nothing at another partner’s portal, for another purpose, or after its time')
  ],
  API2: [
    by('portal/sign-in', 'answers an unknown account, a wrong password and another partner’s customer alike'),
    by('portal/sign-in-limits', 'can’t outrun the limit by coming at once'),
    by('portal/second-factors', 'is not to be guessed, whatever the session')
  ],
  API4: [by('portal/sign-in-limits', 'lock an address out of every account')],
  API5: 'Nobody has a role yet.',
  API6: [
    by(
      'portal/sign-in-limits',
      'don’t let anybody flood a mailbox with forgotten passwords, nor keep the owner from one'
    )
  ]
}

/** Where people let an app in. */
export const CONSENT: Row = {
  ...INSIDE,
  API1: [by('oauth/attacks-consent', 'is unknown in another partner’s portal')],
  API2: [by('oauth/attacks-consent', 'needs somebody signed in')],
  API5: [by('oauth/taken-away', 'is given no more than their role has, whatever the form says')],
  API6: [by('oauth/attacks-consent', 'is not to be given by who follows an attacker’s link to the page')]
}

/** The same for everybody. */
export const PUBLIC: Row = {
  API1: 'It is the same for everybody, or named after what it holds.',
  API2: [anybody],
  API3: 'It takes nothing.',
  API4: [sizes],
  API5: 'Anybody may see it.',
  API6: 'Nothing comes of it.',
  API7: noAddress,
  API8: [answers, methods],
  API9: [listed],
  API10: nothingForeign
}

export const METRICS: Row = {
  ...PUBLIC,
  API2: [by('metrics/metrics', 'are for whoever has the token')],
  API5: [by('metrics/metrics', 'are for whoever has the token')]
}

export const CERTIFICATES: Row = {
  ...PUBLIC,
  API1: [by('portal/certificate-hosts', 'is answered with no for anything else')]
}

export const GATEWAY: Row = {
  API1: [by('mcp/authorization', 'answers another partner’s customer like one that doesn’t exist')],
  API2: [
    by('mcp/authorization', 'refuses an unknown key with 401'),
    by('oauth/attacks-tokens', 'of the %s gateway opens no other API')
  ],
  API3: [by('security/properties', 'answers nothing that it does not name')],
  API4: [
    by('limits/budget', 'pays for each message of a batch'),
    by('mcp/transport', 'that turn out longer while they arrive get 413')
  ],
  API5: [
    by(
      'mcp/addresses',
      'call no tool of another group, and no tool that writes where only reading is offered'
    )
  ],
  API6: ofOperations,
  API7: noAddress,
  API8: [answers, methods, by('mcp/transport', '%s is 405 and says that POST is allowed')],
  API9: [documented],
  API10: nothingForeign
}

export const OAUTH: Row = {
  API1: [by('oauth/attacks-tokens', 'is of the client that got it')],
  API2: [by('oauth/attacks-tokens', 'that comes back after the grace ends everything of its app')],
  API3: [by('oauth/attacks-registration', 'names no secret, method, grant or key of its own')],
  API4: [
    by('oauth/attacks-registration', 'of registrations is refused to its network alone, and writes no more'),
    by('oauth/attacks-registration', '%s reads 16 KiB of')
  ],
  API5: [by('oauth/attacks-tokens', 'is refreshed for its own gateway and scopes alone')],
  API6: [by('oauth/attacks-consent', 'is given once')],
  API7: [
    by('oauth/attacks-client-addresses', 'is never fetched: %s'),
    by('oauth/attacks-client-documents', 'is nowhere else: %s')
  ],
  API8: [answers, methods],
  API9: [documented],
  API10: [
    by('oauth/attacks-client-documents', 'is cut where it never ends'),
    by('oauth/attacks-client-documents', 'is refused that tells of %s')
  ]
}

export const HOOKS: Row = {
  API1: [by('calls/hooks', 'shows each partner its own state alone, and none to one without a key')],
  API2: [
    by('calls/hooks', 'refuses what isn’t the provider’s, is old, or was changed, all with the same words')
  ],
  API3: 'Of what is sent only the id of a call is read; the call itself is asked for.',
  API4: [by('calls/sync', 'keeps no more than a thousand hints, and warns of a sync that is behind')],
  API5: 'There is one thing to do.',
  API6: 'It has a call read a little earlier.',
  API7: noAddress,
  API8: [answers, methods],
  API9: [documented],
  API10: [by('calls/hooks', 'does nothing about another event, or an id that is none')]
}

export const AI: Row = {
  API1: [by('ai-gateway/ai-gateway', 'refuses a model that the key doesn’t open')],
  API2: [by('ai-gateway/keys', 'closes a key at once, and leaves the others open')],
  API3: [
    by('ai-gateway/ai-gateway', 'passes on what is about the answer, and nothing that reaches past the key')
  ],
  API4: [
    by(
      'ai-gateway/budgets',
      'is never overdrawn by many at once, in two processes, whoever settles meanwhile'
    ),
    by('ai-gateway/ai-gateway', 'limits how often one key may call')
  ],
  API5: [by('keys/customer-tokens', 'is none of the other kind: each opens its own channels')],
  API6: [by('ai-gateway/caps', 'passes on nothing that multiplies it')],
  API7: 'It calls the operator’s upstream alone; what a model is told to look at, that one fetches.',
  API8: [answers, methods],
  API9: [documented],
  API10: [by('ai-gateway/answers', 'never shows the upstream’s key, whatever the upstream says')]
}

export const CHAT: Row = {
  ...OF_PORTAL,
  API1: [
    by('instances/chat-refusals', 'answers 403 for an instance of another customer of the same partner')
  ],
  API2: [
    by('instances/chat-refusals', 'answers 401 to who isn’t signed in, whichever instance is asked for')
  ],
  API3: [by('instances/chat-refusals', 'answers 422 for %s')],
  API4: [by('instances/chat-outcomes', 'is 504 without having begun when its turn doesn’t come')],
  API5: [
    by(
      'instances/chat-refusals',
      'answers 404 for the customer’s own where its app isn’t for it any more, and to its team'
    )
  ],
  API6: [by('instances/chat-refusals', 'takes nothing from another site, and no form')],
  API10: [by('instances/chat-outcomes', 'is 502 when the agent fails, says nothing, or doesn’t stop talking')]
}

export const CONNECTION_TEST: Row = {
  ...OF_PORTAL,
  API7: [by('portal/customer-agents', 'goes to the service itself, whatever host a request names')]
}
