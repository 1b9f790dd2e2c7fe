import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { CreatePartner, PortalOrigin } from '../../schemas/partner.ts'
import { InvitePartnerUser } from '../../schemas/partner-user.ts'
import { OwnAiBudgets } from '../../src/ai-gateway/variables.ts'
import type { Config } from '../../src/config.ts'
import {
  createPartner,
  erasePartnerOperation,
  listPartnersOperation,
  updatePartnerOperation
} from '../../src/partners/operations.ts'
import { type Partner, PriceModelOverride } from '../../src/partners/store.ts'
import { recoverPartnerUser } from '../../src/partners/user-operations.ts'
import { commandAtDatabase, commandGroup, commandOfPartner, PARTNER_OPTION } from './command.ts'
import { erasingParts } from './customer.ts'
import { CommandError } from './failure.ts'
import { minute, styled } from './output.ts'
import { jsonOf, names, onOff, textOf } from './values.ts'
import { partnerNamed } from './workplace.ts'

const createCommand = commandAtDatabase('create', {
  about: 'create a partner and a link by which its first user sets a password',
  example:
    'mindgate partner create --name "Acme Voice" --email ops@acme.example\n\nThe link is shown this once; it lives 7 days and works once.',
  options: (bare) =>
    bare
      .requiredOption('--name <name>', 'what the partner is called', textOf(CreatePartner.shape.name))
      .requiredOption(
        '--email <address>',
        'the first user of its console; unique among all partners',
        textOf(CreatePartner.shape.email)
      )
      .option(
        '--slug <slug>',
        'its name in links; made from the name when left out',
        textOf(CreatePartner.shape.slug.unwrap())
      ),
  async run({ config, operate, printCard }, { name, email, slug: wanted }) {
    const { partnerId, slug, setPasswordToken } = await operate(createPartner, { name, email, slug: wanted })
    const setPasswordUrl = `${linkBase(config)}/console/set-password?token=${setPasswordToken}`
    printCard({ partnerId, slug, setPasswordUrl }, `${name} is a partner now`, {
      Id: partnerId,
      Slug: slug,
      'Set password': setPasswordUrl,
      Next: `mindgate key create --partner ${slug} --name first`
    })
  }
})

/** PUBLIC_URL, or this machine at PORT; a port that `serve` has yet to pick can't be known here. */
const linkBase = ({ publicUrl, port }: Config): string =>
  publicUrl ?? `http://localhost${port === 0 ? '' : `:${port}`}`

const listCommand = commandAtDatabase('list', {
  about: 'list every partner, newest first',
  example: 'mindgate partner list',
  async run({ operate, printTable }) {
    const { data } = await operate(listPartnersOperation)
    printTable(data, NO_PARTNER, {
      Id: ({ partnerId }) => partnerId,
      Slug: ({ slug }) => slug,
      Name: ({ name }) => name,
      'E-mail': ({ email }) => email,
      State: stateOf,
      'AI memory': ({ hasAiMemory }) => (hasAiMemory ? 'on' : 'off'),
      Models: ({ models }) => models.join(', ') || null,
      Created: ({ createdAt }) => minute(createdAt)
    })
  }
})

const NO_PARTNER =
  'No partner yet. Make one: mindgate partner create --name "Acme Voice" --email ops@acme.example'

const stateOf = ({ isActive }: Partner): string => (isActive ? 'active' : 'inactive')

const updateCommand = commandAtDatabase('update', {
  about: 'change what is given of a partner',
  example: [
    'mindgate partner update --partner acme-voice --ai-memory off',
    'mindgate partner update --partner acme-voice --portal-origin https://portal.acme.example',
    `mindgate partner update --partner acme-voice --ai-budgets '{"AI_PARTNER_TOKENS_PER_MONTH": 1000000000}'`
  ],
  options: (bare) =>
    bare
      .requiredOption('--partner <id>', PARTNER_OPTION)
      .option('--active <on|off>', 'off refuses its keys and tokens with 403', onOff)
      .option('--ai-memory <on|off>', 'whether its customers may have memory at all', onOff)
      .option('--models <a,b>', 'models its agents may use, the primary one first; "" for none', names)
      .option(
        '--ai-budgets <json>',
        'JSON of the AI_…_TOKENS_PER_… variables that its agents have other values of; {} returns to those',
        jsonOf(OwnAiBudgets)
      )
      .option(
        '--price-model <file>',
        'JSON file that overrides parts of the price model; {} returns to the default',
        priceModelFrom
      )
      .option(
        '--portal-origin <url>',
        'host of its own that its portal stands on, such as https://portal.acme.example; "" for none',
        portalOriginFrom
      ),
  async run({ config, database, operate, printCard }, { partner: idOrSlug, portalOrigin, ...given }) {
    if (portalOrigin) requireOtherHost(config, portalOrigin)
    const input = {
      isActive: given.active,
      hasAiMemory: given.aiMemory,
      models: given.models,
      aiBudgets: orDefault(given.aiBudgets),
      priceModel: orDefault(given.priceModel),
      portalOrigin: portalOrigin === '' ? null : portalOrigin
    }
    if (Object.values(input).every((value) => value === undefined)) {
      throw new CommandError(
        'Nothing to change. Give at least one of --active, --ai-memory, --models, --ai-budgets, --price-model, --portal-origin.'
      )
    }
    const { partnerId } = await partnerNamed(database, idOrSlug)
    const { data } = await operate(updatePartnerOperation, input, { partnerId })
    printCard(data, `${data.name} is changed`, {
      Id: partnerId,
      Slug: data.slug,
      State: styled(data.isActive ? 'green' : 'red', stateOf(data)),
      'AI memory': data.hasAiMemory ? 'on' : 'off',
      Models: data.models.join(', ') || null,
      'AI budgets': overridden(data.aiBudgets),
      Portal: data.portalOrigin,
      'Price model': overridden(data.priceModel)
    })
  }
})

/** '' takes the host away; Commander would turn a parser's own `null` into just that. */
const portalOriginFrom = (text: string): string => (text === '' ? '' : textOf(PortalOrigin)(text))

/** Our own host has every partner's portal and the console: it can't be one partner's. */
function requireOtherHost({ publicUrl }: Config, portalOrigin: string): void {
  if (publicUrl === undefined || new URL(publicUrl).host !== new URL(portalOrigin).host) return
  throw new CommandError('This is the host of PUBLIC_URL. A partner’s portal needs a host of its own.')
}

const priceModelFrom = (file: string) => jsonOf(PriceModelOverride)(read(file))

/** An override of nothing is none. Commander would turn a parser's own `null` into an empty text. */
const orDefault = <Override extends object>(override: Override | undefined) =>
  override && Object.keys(override).length === 0 ? null : override

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new InvalidArgumentError('The file can’t be read.')
  }
}

const overridden = (override: object | null): string =>
  override ? `overrides ${Object.keys(override).join(', ')}` : 'default'

const eraseCommand = commandOfPartner('erase', {
  about: 'delete a partner for good, with all of its customers',
  note: 'It is closed at once. Interrupted, run it again.',
  example: 'mindgate partner erase --partner prt_9c… --confirm acme-voice',
  options: (bare) => bare.requiredOption('--confirm <slug>', 'its slug: this is the partner to erase'),
  async run(at, { confirm }) {
    const { partnerId, slug } = at.partner
    const { customers } = await at.operate(
      erasePartnerOperation,
      { confirm },
      {
        parts: erasingParts(at),
        refusals: { invalid_input: '--confirm must be the slug of the partner to erase.' }
      }
    )
    at.print(
      { partnerId, customers, erased: true },
      () => `${slug} is erased with ${customers === 1 ? '1 customer' : `${customers} customers`}.`
    )
  }
})

const recoverCommand = commandOfPartner('recover', {
  about:
    'let somebody of its team sign in with the password alone, who lost app, passkeys and recovery codes',
  note: 'Be sure that it is them who ask. All of their sessions end.',
  example: 'mindgate partner recover --partner acme-voice --email ops@acme.example',
  options: (bare) =>
    bare.requiredOption('--email <address>', 'who it is', textOf(InvitePartnerUser.shape.email)),
  async run({ operate, print }, { email }) {
    const { message } = await operate(recoverPartnerUser, { email })
    print({ email, recovered: true }, () => message)
  }
})

export const partnerCommand = commandGroup('partner', 'create, list, change, recover and erase partners', [
  recoverCommand,
  createCommand,
  listCommand,
  updateCommand,
  eraseCommand
])
