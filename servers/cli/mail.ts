import { Command, Option } from '@commander-js/extra-typings'
import { z } from 'zod'
import { Acknowledgement } from '../../schemas/envelope.ts'
import { MailStatus } from '../../schemas/mail.ts'
import { createLog } from '../../src/log.ts'
import { listMails } from '../../src/mail/history.ts'
import { resendMailOperation } from '../../src/mail/operations.ts'
import { createOutbox } from '../../src/mail/outbox.ts'
import { openSecrets } from '../../src/sealing.ts'
import { operate } from './operate.ts'
import { minute, print, table } from './output.ts'
import type { Terminal } from './terminal.ts'
import { jsonOf } from './values.ts'
import { partnerNamed, withDatabase } from './workplace.ts'

const MOST_LISTED = 10_000

export const mailCommand = (terminal: Terminal) =>
  new Command('mail')
    .description('see what became of mails, and send them again')
    .addCommand(listCommand(terminal))
    .addCommand(resendCommand(terminal))

const listCommand = (terminal: Terminal) =>
  new Command('list')
    .description('list mails, newest first: what waits, was sent or was given up, and why')
    .option('--partner <id>', 'id or slug of the partner; every partner when left out')
    .addOption(new Option('--status <status>', 'only mails in that state').choices(MailStatus.options))
    .option('--limit <n>', 'at most so many', jsonOf(z.int().min(1).max(MOST_LISTED)), 100)
    .option('--json', 'answer with one line of JSON')
    .addHelpText('after', '\nExample:\n  $ mindgate mail list --status failed')
    .action(({ partner: idOrSlug, status, limit, json }) =>
      withDatabase(terminal, async ({ database }) => {
        const partner = idOrSlug === undefined ? undefined : await partnerNamed(database, idOrSlug)
        const mails = await listMails(database.read, partner?.partnerId, { status, limit })
        print(terminal, { json }, mails, (rows) =>
          table(
            rows,
            {
              Id: ({ id }) => id,
              State: ({ status }) => status,
              Template: ({ template }) => template,
              To: ({ recipient }) => recipient,
              Attempts: ({ attempts }) => attempts,
              Created: ({ createdAt }) => minute(createdAt),
              Finished: ({ finishedAt }) => minute(finishedAt),
              'Last error': ({ lastError }) => lastError
            },
            'No such mail. Invites and resets appear here once they are asked for.'
          )
        )
      })
    )

const resendCommand = (terminal: Terminal) =>
  new Command('resend')
    .description('send a mail again, with a new link and a new temporary password; the first ones end')
    .requiredOption('--partner <id>', 'id or slug of the partner')
    .requiredOption('--mail <id>', 'id of the mail, as `mindgate mail list` shows it')
    .option('--json', 'answer with one line of JSON')
    .addHelpText('after', '\nExample:\n  $ mindgate mail resend --partner acme-voice --mail mail_…')
    .action(({ partner: idOrSlug, mail: mailId, json }) =>
      withDatabase(terminal, async (place) => {
        const { config, database } = place
        const { partnerId } = await partnerNamed(database, idOrSlug)
        const secrets = await openSecrets(config, database)
        // Never started: the running service sends what this process writes.
        const outbox = createOutbox({ config, database, secrets, log: createLog('silent') })
        await operate(place, resendMailOperation, {
          ...{ partnerId, input: { mailId }, output: Acknowledgement, parts: { secrets, outbox } }
        })
        print(
          terminal,
          { json },
          { mailId, isResent: true },
          () => 'A new mail is queued; the running service sends it.'
        )
      })
    )
