import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { verifySmtp } from '../mail/smtp-transport.ts'
import { settlesWithin } from '../net/deadline.ts'
import { checkAiGateway } from './ai-check.ts'
import { checkDatabase } from './database-check.ts'
import { type Finding, faultOf, findingsOf } from './finding.ts'
import { checkHoncho } from './honcho-check.ts'
import { checkConfiguration, checkDataFolder, checkPublicUrl } from './machine-check.ts'
import { checkSignIn } from './sign-in-check.ts'

/** Checks the configuration and everything that it reaches, in the order in which one would repair it. */
export async function diagnose(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { config, finding } = checkConfiguration(env)
  if (!config) return [finding]
  return [
    finding,
    checkDataFolder(config),
    ...(await checkDatabase(config)),
    config.mailUrl ? await checkSmtp(config.mailUrl, config.mailTimeoutMs) : checkFolder(config.dataDir),
    await checkAiGateway(config.aiGateway),
    ...(await checkHoncho(config.honcho)),
    checkPublicUrl(config),
    await checkSignIn(config)
  ]
}

const { ok, fail } = findingsOf('mail')
const DEADLINE_MS = 10_000

async function checkSmtp(mailUrl: string, mailTimeoutMs: number): Promise<Finding> {
  const timeoutMs = Math.min(mailTimeoutMs, DEADLINE_MS)
  const { host } = new URL(mailUrl)
  const remedy = 'Check host, port, user and password in MAIL_URL, and smtps:// for port 465.'
  const unusable = (why: string) => fail(`The SMTP server ${host} can’t be used (${why}).`, remedy)
  const verified = verifySmtp(mailUrl, timeoutMs)
  try {
    // The timeouts within are of silence: a server that trickles would hold the doctor for ever.
    if (!(await settlesWithin(verified, timeoutMs))) return unusable('no answer')
    await verified
    return ok(`The SMTP server ${host} takes our login.`)
  } catch (error) {
    return unusable(faultOf(error))
  }
}

function checkFolder(dataDir: string): Finding {
  const folder = join(dataDir, 'outbox')
  try {
    accessSync(existsSync(folder) ? folder : dataDir, constants.W_OK)
    return ok(`MAIL_URL is not set: mails become .eml files in ${folder}.`)
  } catch (error) {
    return fail(
      `MAIL_URL is not set, and ${folder} can’t be written (${faultOf(error)}).`,
      `Give it to this user: chown -R "$USER" ${folder}`
    )
  }
}
