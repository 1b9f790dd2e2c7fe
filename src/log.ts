// Structured logs on stderr. Only the fields listed here can ever be written, so that a body, a header or a secret
// can't get into a log by accident.
import { destination, pino } from 'pino'
import { MINUTE_MS } from './clock.ts'
import { isAway } from './database/faults.ts'
import { traceId } from './trace.ts'

const STDERR = 2

/** Everything that a log line may carry beside level, time, message and the trace's id; what is undefined is left out. */
const TEXTS = [
  ...(['requestId', 'method', 'channel', 'operation', 'code', 'url', 'database', 'signal'] as const),
  ...(['partnerId', 'customerId', 'keyId', 'instanceId', 'mailId', 'webhookId', 'template'] as const),
  /** The route's pattern, never the path itself. */
  'route',
  'work',
  'reason',
  /** What an agent said last before it failed, without secrets. */
  'words'
] as const
const NUMBERS = ['status', 'durationMs', 'attempts', 'count'] as const
const ALLOWED = new Set<string>([...TEXTS, ...NUMBERS, 'error'])

type LogFields = { [Name in (typeof TEXTS)[number]]?: string | undefined } & {
  [Name in (typeof NUMBERS)[number]]?: number | undefined
} & { error?: unknown }

type Level = 'debug' | 'info' | 'warn' | 'error'

export type Log = Record<Level, (message: string, fields?: LogFields) => void>

/** Writes JSON lines to stderr, each at once, or to `write` in tests. */
export function createLog(level: string, write?: (line: string) => void): Log {
  const logger = pino(
    {
      level,
      base: null,
      mixin: () => ({ traceId: traceId() }),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) }
    },
    write ? { write } : destination({ dest: STDERR, sync: true })
  )
  const at = (name: Level) => (message: string, fields?: LogFields) => {
    if (logger.isLevelEnabled(name)) logger[name](allowed(fields), message)
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function allowed(fields: LogFields = {}): Record<string, unknown> {
  const line: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (ALLOWED.has(name) && value !== undefined) line[name] = name === 'error' ? describeError(value) : value
  }
  return line
}

/** Tokens of ours, passwords in URLs and long opaque strings, wherever an error's text quotes them. */
const SECRET_SHAPES =
  /\b(?:pkt|mct|sk|whsec)[_-][0-9A-Za-z_+/=-]{8,}|(?<=:\/\/[^\s/:@]*:)[^\s@]+(?=@)|\b[0-9A-Za-z_-]{40,}\b/g

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  return {
    type: error.name,
    message: error.message.replace(SECRET_SHAPES, '[redacted]'),
    // Without the first lines, which repeat the message.
    stack: error.stack
      ?.split('\n')
      .filter((frame) => /^\s+at /.test(frame))
      .join('\n'),
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(error.cause ? { cause: describeError(error.cause) } : {})
  }
}

/** The log for what fails again and again while the database is away: it then takes each message once a minute. */
export function sparingly(log: Log): Log {
  const toldAt = new Map<string, number>()
  const once =
    (write: Log['warn']): Log['warn'] =>
    (message, fields) => {
      const isRecent = performance.now() - (toldAt.get(message) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS
      if (isAway(fields?.error) && isRecent) return
      if (isAway(fields?.error)) toldAt.set(message, performance.now())
      write(message, fields)
    }
  return { ...log, warn: once(log.warn), error: once(log.error) }
}
