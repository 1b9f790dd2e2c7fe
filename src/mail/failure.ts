// What a failed attempt means: again later, never, or that nobody needs it any more.
import { z } from 'zod'

/** What became of an attempt that didn't send. `code` is for the log, `reason` for whoever lists the mails. */
export type Verdict =
  | { kind: 'retry' | 'give_up' | 'drop'; code: string; reason: string }
  | { kind: 'interrupted' }

/** Known before anything was sent: another attempt would end the same way. */
export class GivenUp extends Error {
  readonly code: string
  readonly kind: 'give_up' | 'drop'

  constructor(code: string, reason: string, kind: 'give_up' | 'drop' = 'give_up') {
    super(reason)
    this.name = 'GivenUp'
    this.code = code
    this.kind = kind
  }
}

const MAX_REASON_LENGTH = 300

/** The server wants a login or TLS first: the operator's mistake, and mended without the mail. */
const AUTHENTICATION_REQUIRED = 530

/** Reads an error of the attempt. `secrets` are the texts that must not stay in the reason. */
export function judge(error: unknown, secrets: readonly string[]): Verdict {
  if (error instanceof GivenUp) return { kind: error.kind, code: error.code, reason: error.message }
  const failure = smtpFailure(error)
  return {
    kind: isRefused(failure) ? 'give_up' : 'retry',
    code: [failure.code, failure.responseCode].filter(Boolean).join(' '),
    reason: strip(describe(failure), secrets).slice(0, MAX_REASON_LENGTH)
  }
}

/** What nodemailer adds to an error. `originalCode` is the operating system's name for it, such as ECONNREFUSED. */
const SmtpFailure = z.object({
  code: z.string().catch(''),
  originalCode: z.string().catch(''),
  command: z.string().catch(''),
  responseCode: z.number().optional().catch(undefined),
  response: z.string().catch('')
})
type SmtpFailure = z.output<typeof SmtpFailure>

function smtpFailure(error: unknown): SmtpFailure {
  const isError = error instanceof Error
  const failure = SmtpFailure.parse(isError ? { ...error } : {})
  return { ...failure, code: failure.code || (isError ? error.name : typeof error) }
}

/** Whether the server (or the library, of an address that can't exist) refuses this very mail for good. */
function isRefused({ code, responseCode }: SmtpFailure): boolean {
  if (responseCode === undefined) return code === 'EENVELOPE'
  // 503: our conversation was out of step, not the mail wrong.
  const isPermanent = responseCode >= 500 && responseCode !== 503 && responseCode !== AUTHENTICATION_REQUIRED
  return isPermanent && (code === 'EENVELOPE' || code === 'EMESSAGE')
}

const IN_WORDS: Record<string, string> = {
  EABORT: 'The mail server took too long as a whole.',
  ETIMEDOUT: 'The mail server didn’t answer in time.',
  ECONNECTION: 'The mail server closed the connection.',
  ESOCKET: 'The connection to the mail server failed.',
  EDNS: 'The mail server’s name could not be resolved.',
  ETLS: 'No secure connection to the mail server.',
  EAUTH: 'The mail server refused the login of MAIL_URL.'
}

function describe({ code, originalCode, command, responseCode, response }: SmtpFailure): string {
  if (responseCode === undefined) {
    const words = IN_WORDS[code] ?? `The attempt failed (${code}).`
    return originalCode ? `${words} (${originalCode})` : words
  }
  // A server that has seen the login or the letter may quote it: of its words, only the codes are kept then.
  const isBeforeLetter = command === 'MAIL FROM' || command === 'RCPT TO'
  const words =
    code === 'EAUTH' ? `${IN_WORDS.EAUTH} ` : `The mail server refused ${command || 'the connection'}: `
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
  return words + (isBeforeLetter ? response : [responseCode, enhanced].filter(Boolean).join(' '))
}

/** Links and whatever could be a token: a server can have kept them from an earlier attempt. */
const LINK = /\bhttps?:\S+/gi
const OPAQUE = /[0-9A-Za-z_+/=-]{32,}/g

function strip(text: string, secrets: readonly string[]): string {
  let clean = text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
  for (const secret of secrets.filter(Boolean)) clean = clean.replaceAll(secret, '[removed]')
  return clean.replaceAll(LINK, '[link]').replaceAll(OPAQUE, '[removed]').trim()
}
