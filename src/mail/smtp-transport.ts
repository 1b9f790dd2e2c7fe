// Mails over SMTP. What speaks it is loaded with the first one.
import { needsUtf8, type Transport } from './compose.ts'
import { GivenUp } from './failure.ts'

/** No server has that much to say; without a bound, one could fill the memory. */
const MAX_RESPONSE_BYTES = 64 * 1024

/** After our side is closed, the server gets this long to close its own. */
const CLOSE_TIMEOUT_MS = 1_000

/**
 * SMTP, one connection a mail. `smtps:` is TLS from the start; `smtp:` turns to TLS when the server offers it, and
 * `?requireTLS=true` insists. Certificates are checked unless the URL says `tls.rejectUnauthorized=false`.
 */
export function openSmtpTransport(url: string, silenceMs: number): Transport {
  return {
    async send({ message, recipient }, signal) {
      const options = await optionsOf(url, silenceMs)
      if (needsUtf8(recipient)) await requireUtf8(options, signal)
      const { createTransport } = await import('nodemailer')
      await createTransport(options).sendMail({ ...message, signal })
    }
  }
}

/** Connects, logs in and leaves again; rejects as a mail would. A server that trickles can make it last. */
export async function verifySmtp(url: string, silenceMs: number): Promise<void> {
  const { createTransport } = await import('nodemailer')
  await createTransport(await optionsOf(url, silenceMs)).verify()
}

/** Of the servers that can't carry such an address some lose the mail. @throws GivenUp without SMTPUTF8 */
async function requireUtf8(
  options: Awaited<ReturnType<typeof optionsOf>>,
  signal: AbortSignal
): Promise<void> {
  signal.throwIfAborted()
  const { default: SmtpConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SmtpConnection(options)
  try {
    await new Promise<void>((resolve, reject) => {
      const late = () => reject(Object.assign(new Error('No answer in time'), { code: 'EABORT' }))
      signal.addEventListener('abort', late, { once: true })
      connection.on('error', reject)
      connection.connect((error) => (error ? reject(error) : resolve()))
    })
    // Greeted, and not logged in yet: what was said last is what it offers.
    if (/[ -]SMTPUTF8\b/i.test(String(connection.lastServerResponse))) return
  } finally {
    connection.close()
  }
  throw new GivenUp('ESMTPUTF8', 'The mail server takes no address with letters like é before the @.')
}

async function optionsOf(url: string, silenceMs: number) {
  const { parseConnectionUrl } = await import('nodemailer/lib/shared')
  // Only these of the URL's options: `logger` would print letters on stdout, `sendmail` would run a program.
  const { host, port, secure, auth, tls, requireTLS, name } = parseConnectionUrl(url)
  return {
    host,
    port,
    secure,
    auth,
    tls,
    requireTLS: requireTLS === true,
    name: typeof name === 'string' ? name : undefined,
    dnsTimeout: silenceMs,
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    socketCloseTimeout: CLOSE_TIMEOUT_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true
  }
}
