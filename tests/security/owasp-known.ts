// What of OWASP's risks no trait of an operation tells. `owasp.test.ts` says which operations have to be in each table.
import { by, type Cell } from './owasp-cells.ts'

const mailBudget = by(
  'limits/mail-budget',
  'to one address are no more than the limit, however a customer’s people cause them'
)
const manyOnboarded = by('limits/mail-budget', 'are as many as a partner onboards customers, and few to each')
const chatTurns = by('instances/chat-outcomes', 'is 504 without having begun when its turn doesn’t come')
const deploysShared = by(
  'instances/deploy-shares',
  'have places for every partner, also where one waits for more servers than there are places'
)
const oneDeploy = by('instances/deploy', 'refuses a second one while it is under way, with 409')
const rolloutsFew = by(
  'instances/configure',
  'reaches each of the partner’s, three at a time, and nobody else’s'
)
const sshEnds = by('instances/ssh-rude', '%s is heard out for a while, and then hung up on')
const sshPinned = by(
  'instances/ssh-connect',
  'is refused where another host key is shown, and our user name isn’t told'
)
const sshWords = by('instances/care', 'ends at 64 KiB, with no half of a key before')
const chatWords = by(
  'instances/chat-outcomes',
  'is 502 when the agent fails, says nothing, or doesn’t stop talking'
)
const smtp = by('mail/trouble', 'is cut off as a whole by a server that drips its answer to every command')
const providerFaults = by(
  'voice-agents/providers',
  'changes no agent while it can’t be asked for them, or refuses the key'
)
const providerOdd = by('calls/odd-calls', 'with anything odd in it keeps no other one of provider %s')
const modelCapped = by(
  'llm/language-model',
  'costs no time by a fence that never ends, nor by an answer that is far too long'
)
const webhookShared = by(
  'webhooks/delivery',
  'to one that is away costs few attempts, and begins again by itself'
)
const webhookCount = by('webhooks/boundaries', 'is one of ten')
const webhookTries = by(
  'webhooks/boundaries',
  'is tried sixty times an hour because somebody asks for it, and switched off whenever they like'
)
const webhookFull = by('webhooks/delivery', 'is no longer written down while too much waits, which is said')
const webhookPrivate = by('webhooks/boundaries', 'that leads to a private address is sent nothing')
const webhookForm = by('webhooks/boundaries', 'is at a public address over TLS, without a password')
const tokensFew = by(
  'keys/customer-token-operations',
  'refuse more than a hundred that work; revoked and expired ones leave room'
)
const keysFew = by(
  'portal/settings-operations',
  'refuse more than a hundred that work; revoked and expired ones leave room'
)
const peopleFew = by('portal/partner-team', 'has at most 50 people, however many are invited at once')
const teamFull = by('portal/customer-team', 'offers no invite when the team is full, and refuses one')
const packsADay = by('packs/packs', 'is bought twenty times a day at most')
const testsAnHour = by(
  'portal/mail-texts',
  'sends one partner no more than twenty tests an hour, and others theirs'
)
const memoryBudget = by(
  'limits/memory',
  'has one budget over both gateways, every token of the customer and its partner’s keys'
)
const paid = by('credits/charge', 'takes the last credit and not one more')
const closesOnce = by('statements/life', 'is closed before its grace is over by nobody, and once')
const billedOnce = by('statements/life', 'that is billed is off what the customer owes, once')
const onceByKey = by('credits/operations', 'are granted once for one Idempotency-Key')
const erasedOnce = by('customers/refusals', 'is another partner’s never, and done once')

/** API4. What adds something each time it is called, and where that ends. */
export const ADDS: Record<string, Cell> = {
  customer_onboard:
    'A partner’s customers are what it pays for; it calls within its key’s budget, and lists don’t grow with them.',
  customer_create: 'As customer_onboard.',
  customer_enable_portal_access: [mailBudget],
  customer_send_password_reset: [mailBudget],
  customer_view_portal: 'A session of half an hour; of one person the newest hundred are kept.',
  team_member_add: [teamFull],
  team_member_resend: [mailBudget],
  memory_create_mind: [by('memory/minds', 'are at most a thousand of one customer')],
  memory_ask: [memoryBudget, paid],
  memory_forget_undo: [
    by('memory/undo', 'is done once'),
    by('memory/undo', 'counts as a call of the customer’s memory')
  ],
  credits_grant: [by('credits/operations', 'don’t pile up beyond what can be counted')],
  statement_close: [closesOnce],
  statement_mark_billed: [billedOnce],
  instance_configure: [oneDeploy],
  rollout_start: [rolloutsFew],
  instance_chat: [chatTurns],
  customer_token_mint: [tokensFew],
  plan_create: [by('portal/settings-operations', 'are five hundred at most')],
  pack_buy: [packsADay],
  api_key_mint: [keysFew],
  webhook_add: [webhookCount],
  webhook_secret_rotate: 'The newest secret and the one before are kept.',
  webhook_test: [webhookTries, webhookFull],
  webhook_send_again: [webhookTries],
  mail_resend: [mailBudget],
  mail_text_send: [testsAnHour],
  partner_user_invite: [peopleFew],
  partner_user_resend: [mailBudget]
}

/** API6. What mails people, moves money, makes what opens something, or changes what stands elsewhere. */
export const FLOWS: Record<string, Cell> = {
  customer_onboard: [
    manyOnboarded,
    by('rest/customers-onboarding', 'makes one customer of twenty equal requests that race')
  ],
  customer_erase: [erasedOnce],
  customer_enable_portal_access: [mailBudget],
  customer_send_password_reset: [mailBudget],
  voice_agent_map:
    'Whose calls are billed is the partner’s to say; an unusual multiplier wants confirm, and the audit log has it.',
  voice_a_agent_map_customer: 'As voice_agent_map.',
  voice_b_agent_map_customer: 'As voice_agent_map.',
  team_member_add: [
    teamFull,
    by(
      'limits/mail-budget',
      'that a customer’s people cause are no more than the customer’s limit, and another customer has its own'
    )
  ],
  team_member_resend: [mailBudget],
  credits_grant: [onceByKey],
  statement_close: [closesOnce],
  statement_mark_billed: [billedOnce],
  statement_void: [by('statements/life', 'leaves a trace of each step in the audit log')],
  instance_register: [
    by('instances/registration', 'makes one instance of a place that is registered twice at once')
  ],
  instance_rotate_key: [
    by('instances/rotate-key', 'changes nothing where our line isn’t found, or another instance deploys')
  ],
  instance_remove: [by('instances/removal', 'happens once')],
  instance_deploy: [oneDeploy, deploysShared],
  instance_configure: [oneDeploy],
  rollout_start: [
    rolloutsFew,
    by('instances/configure', 'stops once three didn’t get through, and says which and why')
  ],
  instance_restart: [
    by('instances/care', 'is refused while a deploy is under way, and says what takes root')
  ],
  instance_restore: [
    by(
      'instances/backup-hostile',
      'asks no server by HEAD, and of one partner no more than a share of the memory'
    )
  ],
  instance_chat: [by('instances/chat-outcomes', 'answers the same again to the same key, and runs once')],
  customer_token_mint: [tokensFew, by('idempotency/shown-once', 'is in one of twenty answers at once')],
  pack_buy: [packsADay, by('packs/packs', 'is refused at a price that wasn’t shown')],
  api_key_mint: [keysFew],
  webhook_add: [webhookCount],
  webhook_secret_rotate: [
    by('webhooks/delivery', 'is signed with both secrets for a day after they were exchanged')
  ],
  webhook_test: [webhookTries, webhookShared],
  webhook_send_again: [webhookTries, webhookShared],
  billing_settings_set: 'What the partner’s own statements say; the audit log has it.',
  voice_agent_refresh: [providerFaults],
  mail_resend: [mailBudget],
  mail_text_send: [testsAnHour],
  partner_user_invite: [peopleFew],
  partner_user_resend: [mailBudget]
}

/** API7. Inputs that could be an address, and what of us goes there; a text says why nothing does. */
export const ADDRESSES: Record<string, Cell> = {
  'instance_register.host': [
    by('instances/ssh-connect', '%s is refused before anything is sent'),
    by('instances/ssh-connect', 'is resolved once: what was looked at is connected to'),
    by('instances/registration', 'addresses that only this network reaches')
  ],
  'instance_register.jump': [
    by('instances/jump-host', 'a jump host in a private network, into which it could lead')
  ],
  'instance_register.port': 'Of the host.',
  'instance_register.username': 'Of the host.',
  'instance_register.root': 'A folder of the server.',
  'instance_register.hostKey': 'A fingerprint.',
  'instance_register.jumpHostKey': 'A fingerprint.',
  'webhook_add.url': [webhookForm, webhookPrivate],
  'webhook_update.url': [webhookForm, webhookPrivate],
  'brand_update.supportUrl': 'A link in mails and pages; nothing here opens it.',
  'brand_logo_set.image': 'The picture itself, base64.',
  'partner_update.portalOrigin':
    'The operator’s; it is compared with hosts that are asked for, and never called.'
}

/** API10. Who is asked outside, and what bounds what they answer. */
export const FOREIGN: Record<string, Cell> = {
  ...Object.fromEntries(
    [
      ...[
        'customer_onboard',
        'customer_enable_portal_access',
        'customer_send_password_reset',
        'team_member_add'
      ],
      ...['team_member_resend', 'mail_resend', 'mail_text_send', 'partner_user_invite', 'partner_user_resend']
    ].map((name) => [name, [smtp]])
  ),
  ...Object.fromEntries(
    [
      'voice_agent_map',
      'voice_a_agent_map_customer',
      'voice_b_agent_map_customer',
      'voice_agent_refresh',
      'provider_key_test'
    ].map((name) => [
      name,
      [providerFaults, by('voice-agents/providers', 'is never asked for an id that would be another path')]
    ])
  ),
  usage_sync: [providerOdd, by('calls/sync', 'waits as long as it is told to, and says in words why')],
  memory_ask: [
    modelCapped,
    by('memory/honcho/recall', 'keeps what Honcho says within bounds, each line of it one line')
  ],
  memory_search: [by('llm/embedder', 'that %s fails with %s')],
  ...Object.fromEntries(
    ['instance_register', 'instance_test', 'instance_rotate_key', 'instance_remove', 'instance_restart'].map(
      (name) => [name, [sshPinned, sshEnds]]
    )
  ),
  instance_logs: [sshEnds, sshWords],
  instance_health: [sshEnds, by('instances/care', 'is told in figures, null where it doesn’t tell')],
  instance_backup: [
    sshEnds,
    by('instances/backup-hostile', 'has a home that is too large refused before the disk is full')
  ],
  instance_restore: [
    by('instances/backup-hostile', 'writes nothing outside, and only its plain files and folders stay')
  ],
  ...Object.fromEntries(
    ['instance_deploy', 'instance_configure', 'rollout_start'].map((name) => [name, [sshPinned, sshEnds]])
  ),
  instance_chat: [chatWords],
  webhook_test: [by('webhooks/delivery', 'comes again with its id until it is taken, and the log says why')],
  webhook_send_again: [
    by('webhooks/delivery', 'comes again with its id until it is taken, and the log says why')
  ],
  customer_erase: [by('memory/honcho/forget', 'stops at once, also where it only just began')],
  partner_erase: 'Asks what customer_erase asks, of each of its customers.',
  memory_backfill: [by('memory/honcho/backfill', 'stops when Honcho fails, and goes on where it stopped')],
  memory_remember_many: 'Takes long, and asks nobody outside.',
  memory_import: 'Takes long, and asks nobody outside.',
  voice_agent_import: 'Takes long, and asks nobody outside.',
  secrets_rotate: 'Takes long, and asks nobody outside.'
}
