import { readFileSync } from 'node:fs'
import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import { CreatePartner, PartnerErased, PortalOrigin } from '../../schemas/partner.ts'
import { OwnAiBudgets } from '../../src/ai-gateway/variables.ts'
import type { Config } from '../../src/config.ts'
import {
  createPartner,
  erasePartnerOperation,
  listPartnersOperation,
  type Partner,
  PartnerCreated,
  PartnerList,
  PartnerResult,
  updatePartnerOperation
} from '../../src/partners/operations.ts'
import { PriceModelOverride } from '../../src/partners/store.ts'
import { erasingParts } from './customer.ts'
import { CommandError } from './failure.ts'
import { operate } from './operate.ts'
import { card, minute, print, styled, table } from './output.ts'
import type { Terminal } from './terminal.ts'
import { jsonOf, names, onOff, textOf } from './values.ts'
import { partnerNamed, withDatabase } from './workplace.ts'

export const partnerCommand = (terminal: Terminal) =>
  new Command('partner')
    .description('create, list, change and erase partners')
    .addCommand(createCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(updateCommand(terminal))
    .addCommand(eraseCommand(terminal))

const createCommand = (terminal: Terminal) =>
  new Command('create')
    .description('create a partner and a link by which its first user sets a password')
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
    )
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      '\nExample:\n  $ mindgate partner create --name "Acme Voice" --email ops@acme.example\n\nThe link is shown this once; it lives 7 days and works once.'
    )
    .action(({ name, email, slug, json }) =>
      withDatabase(terminal, async (place) => {
        const created = await operate(place, createPartner, {
          ...{ input: { name, email, slug }, output: PartnerCreated }
        })
        const answer = {
          partnerId: created.partnerId,
          slug: created.slug,
          setPasswordUrl: `${linkBase(place.config)}/console/set-password?token=${created.setPasswordToken}`
        }
        print(terminal, { json }, answer, ({ partnerId, setPasswordUrl }) =>
          card(`${name} is a partner now`, {
            Id: partnerId,
            Slug: created.slug,
            'Set password': setPasswordUrl,
            Next: `mindgate key create --partner ${created.slug} --name first`
          })
        )
      })
    )

/** PUBLIC_URL, or this machine at PORT; a port that `serve` has yet to pick can't be known here. */
const linkBase = ({ publicUrl, port }: Config): string =>
  publicUrl ?? `http://localhost${port === 0 ? '' : `:${port}`}`

const listCommand = (terminal: Terminal) =>
  new Command('list')
    .description('list every partner, newest first')
    .option('--json', 'answer with one line of JSON')
    .addHelpText('after', '\nExample:\n  $ mindgate partner list')
    .action(({ json }) =>
      withDatabase(terminal, async (place) => {
        const { data } = await operate(place, listPartnersOperation, { output: PartnerList })
        print(terminal, { json }, data, partnerTable)
      })
    )

const partnerTable = (partners: Partner[]): string =>
  table(
    partners,
    {
      Id: ({ partnerId }) => partnerId,
      Slug: ({ slug }) => slug,
      Name: ({ name }) => name,
      'E-mail': ({ email }) => email,
      State: stateOf,
      'AI memory': ({ hasAiMemory }) => (hasAiMemory ? 'on' : 'off'),
      Models: ({ models }) => models.join(', ') || null,
      Created: ({ createdAt }) => minute(createdAt)
    },
    'No partner yet. Make one: mindgate partner create --name "Acme Voice" --email ops@acme.example'
  )

const stateOf = ({ isActive }: Partner): string => (isActive ? 'active' : 'inactive')

const updateCommand = (terminal: Terminal) =>
  new Command('update')
    .description('change what is given of a partner')
    .requiredOption('--partner <id>', 'id or slug of the partner')
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
    )
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ mindgate partner update --partner acme-voice --ai-memory off\n  $ mindgate partner update --partner acme-voice --portal-origin https://portal.acme.example\n  $ mindgate partner update --partner acme-voice --ai-budgets \'{"AI_PARTNER_TOKENS_PER_MONTH": 1000000000}\''
    )
    .action(({ partner: idOrSlug, active, aiMemory, models, aiBudgets, priceModel, portalOrigin, json }) =>
      withDatabase(terminal, async (place) => {
        if (portalOrigin) requireOtherHost(place.config, portalOrigin)
        const input = {
          isActive: active,
          hasAiMemory: aiMemory,
          models,
          aiBudgets: orDefault(aiBudgets),
          priceModel: orDefault(priceModel),
          portalOrigin: portalOrigin === '' ? null : portalOrigin
        }
        if (Object.values(input).every((value) => value === undefined)) {
          throw new CommandError(
            'Nothing to change. Give at least one of --active, --ai-memory, --models, --ai-budgets, --price-model, --portal-origin.'
          )
        }
        const { partnerId } = await partnerNamed(place.database, idOrSlug)
        const { data } = await operate(place, updatePartnerOperation, {
          ...{ partnerId, input, output: PartnerResult }
        })
        print(terminal, { json }, data, partnerCard)
      })
    )

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

const partnerCard = (partner: Partner): string =>
  card(`${partner.name} is changed`, {
    Id: partner.partnerId,
    Slug: partner.slug,
    State: styled(partner.isActive ? 'green' : 'red', stateOf(partner)),
    'AI memory': partner.hasAiMemory ? 'on' : 'off',
    Models: partner.models.join(', ') || null,
    'AI budgets': overridden(partner.aiBudgets),
    Portal: partner.portalOrigin,
    'Price model': overridden(partner.priceModel)
  })

const overridden = (override: object | null): string =>
  override ? `overrides ${Object.keys(override).join(', ')}` : 'default'

const eraseCommand = (terminal: Terminal) =>
  new Command('erase')
    .description('delete a partner for good, with all of its customers')
    .requiredOption('--partner <id>', 'id or slug of the partner')
    .requiredOption('--confirm <slug>', 'its slug: this is the partner to erase')
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      '\nIt is closed at once. Interrupted, run it again.\n\nExample:\n  $ mindgate partner erase --partner prt_9c… --confirm acme-voice'
    )
    .action(({ partner: idOrSlug, confirm, json }) =>
      withDatabase(terminal, async (place) => {
        const { partnerId, slug } = await partnerNamed(place.database, idOrSlug)
        const { customers } = await operate(place, erasePartnerOperation, {
          ...{ partnerId, input: { confirm }, output: PartnerErased, parts: erasingParts(place) },
          refusals: { invalid_input: '--confirm must be the slug of the partner to erase.' }
        })
        print(
          terminal,
          { json },
          { partnerId, customers, erased: true },
          () => `${slug} is erased with ${customers === 1 ? '1 customer' : `${customers} customers`}.`
        )
      })
    )
