import { createTransport } from 'nodemailer'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import type { Transport } from './transport.ts'

/** No server has that much to say; without a bound, one could fill the memory. */
const MAX_RESPONSE_BYTES = 64 * 1024

/** After our side is closed, the server gets this long to close its own. */
const CLOSE_TIMEOUT_MS = 1_000

/**
 * SMTP, one connection a mail. `smtps:` is TLS from the start; `smtp:` turns to TLS when the server offers it, and
 * `?requireTLS=true` insists. Certificates are checked unless the URL says `tls.rejectUnauthorized=false`.
 */
export function openSmtpTransport(url: string, silenceMs: number): Transport {
  const mailer = mailerFor(url, silenceMs)
  return {
    async send({ message }, signal) {
      await mailer.sendMail({ ...message, signal })
    }
  }
}

/** Connects, logs in and leaves again; rejects as a mail would. A server that trickles can make it last. */
export async function verifySmtp(url: string, silenceMs: number): Promise<void> {
  await mailerFor(url, silenceMs).verify()
}

function mailerFor(url: string, silenceMs: number) {
  // Only these of the URL's options: `logger` would print letters on stdout, `sendmail` would run a program.
  const { host, port, secure, auth, tls, requireTLS, name } = parseConnectionUrl(url)
  return createTransport({
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
  })
}
