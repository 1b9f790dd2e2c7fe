import { Option } from '@commander-js/extra-typings'
import { z } from 'zod'
import { MailStatus } from '../../schemas/mail.ts'
import { createLog } from '../../src/log.ts'
import { resendMailOperation } from '../../src/mail/operations.ts'
import { createOutbox } from '../../src/mail/outbox.ts'
import { listMails } from '../../src/mail/store.ts'
import { openSecrets } from '../../src/sealing.ts'
import { commandAtDatabase, commandGroup, commandOfPartner, PARTNER_OPTION } from './command.ts'
import { minute } from './output.ts'
import { jsonOf } from './values.ts'
import { partnerNamed } from './workplace.ts'

const MOST_LISTED = 10_000

const listCommand = commandAtDatabase('list', {
  about: 'list mails, newest first: what waits, was sent or was given up, and why',
  example: 'mindgate mail list --status failed',
  options: (bare) =>
    bare
      .option('--partner <id>', `${PARTNER_OPTION}; every partner when left out`)
      .addOption(new Option('--status <status>', 'only mails in that state').choices(MailStatus.options))
      .option('--limit <n>', 'at most so many', jsonOf(z.int().min(1).max(MOST_LISTED)), 100),
  async run({ database, printTable }, { partner: idOrSlug, status, limit }) {
    const partner = idOrSlug === undefined ? undefined : await partnerNamed(database, idOrSlug)
    const { rows } = await listMails(database.read, partner?.partnerId, { status, limit })
    printTable(rows, 'No such mail. Invites and resets appear here once they are asked for.', {
      Id: ({ id }) => id,
      State: (row) => row.status,
      Template: ({ template }) => template,
      To: ({ recipient }) => recipient,
      Attempts: ({ attempts }) => attempts,
      Created: ({ createdAt }) => minute(createdAt),
      Finished: ({ finishedAt }) => minute(finishedAt),
      'Last error': ({ lastError }) => lastError
    })
  }
})

const resendCommand = commandOfPartner('resend', {
  about: 'send a mail again, with a new link and a new temporary password; the first ones end',
  example: 'mindgate mail resend --partner acme-voice --mail mail_…',
  options: (bare) => bare.requiredOption('--mail <id>', 'id of the mail, as `mindgate mail list` shows it'),
  async run({ config, database, operate, print }, { mail: mailId }) {
    const secrets = await openSecrets(config, database)
    // Never started: the running service sends what this process writes.
    const outbox = createOutbox({ config, database, secrets, log: createLog('silent') })
    await operate(resendMailOperation, { mailId }, { parts: { secrets, outbox } })
    print({ mailId, isResent: true }, () => 'A new mail is queued; the running service sends it.')
  }
})

export const mailCommand = commandGroup('mail', 'see what became of mails, and send them again', [
  listCommand,
  resendCommand
])
