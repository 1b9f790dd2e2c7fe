// The frame of every command: its help, `--json`, what it works with, and how it answers.
import { Command, type CommandUnknownOpts, type OptionValues } from '@commander-js/extra-typings'
import { loadConfig } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { type Printer, printerAt, type Terminal } from './output.ts'
import {
  customerNamed,
  instanceWith,
  type Operate,
  operatorAt,
  partnerNamed,
  type Subject,
  type Workplace
} from './workplace.ts'

export const PARTNER_OPTION = 'id or slug of the partner'
export const CUSTOMER_OPTION = 'id of the customer, or its short code together with --partner'
export const CUSTOMERS_PARTNER_OPTION = 'id or slug of the customer’s partner; needed with a short code'

type AtTerminal = Printer & { terminal: Terminal }

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
  /** `options` also holds the frame's own (`partner`, `customer`): take those you need by name. */
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
      const bare = newCommand(name, about, terminal).addHelpText('after', helpText(example, note))
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

export const newCommand = (name: string, about: string, { stdout, stderr }: Terminal) =>
  new Command(name)
    .description(about)
    .exitOverride()
    .showHelpAfterError('(--help shows how)')
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text)
    })

export function helpText(example: string | readonly string[], note?: string): string {
  const title = typeof example === 'string' ? 'Example' : 'Examples'
  const lines = [example].flat().map((line) => `  $ ${line}`)
  return [...(note ? ['', note] : []), '', `${title}:`, ...lines].join('\n')
}

export const command = frame<AtTerminal>(() => (at, work) => work(at))

/** Opens the database itself, for this command only, and so works with and without a running service. */
function databaseFrame<About extends Subject>(
  find: (bare: Command) => (database: Database) => Promise<About>
) {
  return frame<AtTerminal & Workplace & About & { operate: Operate }>((bare) => {
    const found = find(bare)
    return async (at, work) => {
      const config = loadConfig(at.terminal.env)
      const database = await openDatabase({
        location: config.databaseLocation,
        maxConnections: 2,
        busyDeadlineMs: config.busyDeadlineMs,
        // The next query meets the lost connection and says so.
        onIdleError: () => undefined
      })
      try {
        const about = await found(database)
        const operate = operatorAt({ config, database }, about)
        await work({ ...at, ...about, config, database, operate })
      } finally {
        await database.close()
      }
    }
  })
}

export const commandAtDatabase = databaseFrame(() => async () => ({}))

/** Its operations are about the partner that `--partner` names. */
export const commandOfPartner = databaseFrame((bare) => {
  const given = bare.requiredOption('--partner <id>', PARTNER_OPTION)
  return async (database) => ({ partner: await partnerNamed(database, given.opts().partner) })
})

/** Its operations are about the customer that `--customer` names. */
export const commandOfCustomer = databaseFrame((bare) => {
  const given = bare
    .requiredOption('--customer <id>', CUSTOMER_OPTION)
    .option('--partner <id>', CUSTOMERS_PARTNER_OPTION)
  return async (database) => {
    const { customer, partner } = given.opts()
    return { customer: await customerNamed(database, customer, partner) }
  }
})

/** Its operations are about the server that its argument names. */
export const commandOfInstance = databaseFrame((bare) => {
  const given = bare.argument('<instance>', 'id of the server, as `instance list` shows it')
  return async (database) => ({ instance: await instanceWith(database, given.processedArgs[0]) })
})

export const commandGroup =
  (name: string, about: string, commands: readonly Loaded[]): Loaded =>
  (terminal) => {
    const group = newCommand(name, about, terminal)
    for (const load of commands) group.addCommand(load(terminal))
    return group
  }
