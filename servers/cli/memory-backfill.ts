import { Command, Option } from '@commander-js/extra-typings'
import { createLog } from '../../src/log.ts'
import { openHoncho } from '../../src/memory/honcho/api.ts'
import { forwardBackfill, queueBackfill } from '../../src/memory/honcho/backfill.ts'
import { CommandError } from './failure.ts'
import { print } from './output.ts'
import type { Terminal } from './terminal.ts'
import { watched } from './watched.ts'
import { CUSTOMER_OPTION, customerNamed, PARTNER_OPTION, partnerNamed, withDatabase } from './workplace.ts'

export const backfillCommand = (terminal: Terminal) =>
  new Command('backfill')
    .description('hand memories to another engine that were stored before it was on, or that it refused')
    .addOption(new Option('--engine <engine>', 'which one').choices(['honcho']).makeOptionMandatory())
    .option('--customer <id>', `${CUSTOMER_OPTION}; every customer when left out`)
    .option('--partner <id>', PARTNER_OPTION)
    .option('--wait', 'hand them on now, also without a running service')
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      '\nEach memory is handed on once, however often this is run. With MEMORY_ENGINE=honcho the service does it by itself.\n\nExample:\n  $ HONCHO_URL=https://honcho.example.com mindgate memory backfill --engine honcho --wait'
    )
    .action(({ customer: reference, partner, wait, json }) =>
      withDatabase(terminal, async ({ config, database }) => {
        const { server } = config.honcho
        if (!server) throw new CommandError('HONCHO_URL is not set: it says where Honcho is.')
        const scope = reference
          ? { customerId: (await customerNamed(database, reference, partner)).id }
          : { partnerId: partner && (await partnerNamed(database, partner)).partnerId }
        const surroundings = { database, log: createLog('silent'), honcho: openHoncho(server) }
        const queued = await queueBackfill(surroundings, scope)
        if (!wait) {
          return print(terminal, { json }, { queued: queued.memories, minds: queued.minds }, ({ minds }) =>
            minds === 0 ? NOTHING : `${inLine(queued)} wait for the service to hand them on.`
          )
        }
        const total = queued.memories
        const left = await watched(terminal, 'Handing memories to Honcho', ({ signal, at }) =>
          forwardBackfill(surroundings, scope, {
            signal,
            at: (waiting) => at(Math.max(0, total - waiting), Math.max(1, total))
          })
        )
        if (left.minds > 0)
          throw new CommandError(`${left.lastError ?? 'Interrupted.'} ${inLine(left)} wait. ${GOES_ON}`)
        if (left.refused > 0)
          throw new CommandError(`Honcho refused ${left.refused} memories; the others are there. ${GOES_ON}`)
        print(terminal, { json }, { forwarded: total, minds: queued.minds }, ({ minds }) =>
          minds === 0 ? NOTHING : `Honcho has ${inLine(queued)} more.`
        )
      })
    )

const NOTHING = 'Honcho has every memory.'
const GOES_ON = 'Run it again: it goes on where it stopped.'

const inLine = ({ memories, minds }: { memories: number; minds: number }): string =>
  `${memories === 1 ? '1 memory' : `${memories} memories`} of ${minds === 1 ? '1 Mind' : `${minds} Minds`}`
