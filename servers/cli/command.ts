// The frame of every command: its help, `--json`, what it works with, and how it answers.
import { Command, type CommandUnknownOpts, type OptionValues } from '@commander-js/extra-typings'
import type { CustomerTable } from '../../src/customers/table.ts'
import type { Partner } from '../../src/partners/store.ts'
import { type Operate, operatorAt } from './operate.ts'
import { type Printer, printerAt, type Terminal } from './output.ts'
import { customerNamed, partnerNamed, type Workplace, withDatabase } from './workplace.ts'

export const PARTNER_OPTION = 'id or slug of the partner'
export const CUSTOMER_OPTION = 'id of the customer, or its short code together with --partner'
export const CUSTOMERS_PARTNER_OPTION = 'id or slug of the customer’s partner; needed with a short code'

type AtTerminal = Printer & { terminal: Terminal }
type AtDatabase = AtTerminal & Workplace & { operate: Operate }

/** What was given to a command that was called. */
type Given<Args, Options> = Readonly<{ opts(): Options; processedArgs: Args }>

interface Spec<At, Args extends unknown[], Options extends OptionValues> {
  about: string
  /** What the help says beside the options. */
  note?: string
  example: string | readonly string[]
  /** Adds the command's own options to those of its frame. */
  options?(bare: Command): Given<Args, Options>
  /** `false` where what it writes is no answer. */
  hasJson?: boolean
  run(at: At, options: Options, args: Args): Promise<void>
}

type Loaded = (terminal: Terminal) => CommandUnknownOpts

/** A frame adds its options to the command, and makes of what they say what the command works with. */
function frame<At>(
  enter: (bare: Command) => (at: AtTerminal, work: (at: At) => Promise<void>) => Promise<void>
) {
  return <Args extends unknown[] = [], Options extends OptionValues = OptionValues>(
    name: string,
    { about, note, example, options, hasJson = true, run }: Spec<At, Args, Options>
  ): Loaded =>
    (terminal) => {
      const bare = new Command(name).description(about).addHelpText('after', helpText(example, note))
      const entered = enter(bare)
      // Without options of its own it has no types but the default ones.
      const given = (options?.(bare) ?? bare) as Given<Args, Options>
      if (hasJson) bare.option('--json', 'answer with one line of JSON')
      return bare.action(() => {
        const at = { terminal, ...printerAt(terminal, bare.getOptionValue('json') === true) }
        return entered(at, (work) => run(work, given.opts(), given.processedArgs))
      })
    }
}

function helpText(example: string | readonly string[], note: string | undefined): string {
  const title = typeof example === 'string' ? 'Example' : 'Examples'
  const lines = [example].flat().map((line) => `  $ ${line}`)
  return [...(note ? ['', note] : []), '', `${title}:`, ...lines].join('\n')
}

export const command = frame<AtTerminal>(() => (at, work) => work(at))

/** It opens the database itself, and so works with and without a running service. */
export const commandAtDatabase = frame<AtDatabase>(
  () => (at, work) =>
    withDatabase(at.terminal, (place) => work({ ...at, ...place, operate: operatorAt(place) }))
)

/** Its operations are about the partner that `--partner` names. */
export const commandOfPartner = frame<AtDatabase & { partner: Partner }>((bare) => {
  const given = bare.requiredOption('--partner <id>', PARTNER_OPTION)
  return (at, work) =>
    withDatabase(at.terminal, async (place) => {
      const partner = await partnerNamed(place.database, given.opts().partner)
      const operate = operatorAt(place, { partnerId: partner.partnerId })
      await work({ ...at, ...place, operate, partner })
    })
})

/** Its operations are about the customer that `--customer` names. */
export const commandOfCustomer = frame<AtDatabase & { customer: CustomerTable }>((bare) => {
  const given = bare
    .requiredOption('--customer <id>', CUSTOMER_OPTION)
    .option('--partner <id>', CUSTOMERS_PARTNER_OPTION)
  return (at, work) =>
    withDatabase(at.terminal, async (place) => {
      const customer = await customerNamed(place.database, given.opts().customer, given.opts().partner)
      const operate = operatorAt(place, { partnerId: customer.partnerId, customerId: customer.id })
      await work({ ...at, ...place, operate, customer })
    })
})

/** Commands under one name. */
export const commandGroup =
  (name: string, about: string, commands: readonly Loaded[]): Loaded =>
  (terminal) => {
    const group = new Command(name).description(about)
    for (const load of commands) group.addCommand(load(terminal))
    return group
  }
