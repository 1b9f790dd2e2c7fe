// Structured logs on stderr. Only the fields listed here can ever be written, so that a body, a header or a secret
// can't get into a log by accident.
import { pino } from 'pino'

/** Everything that a log line may carry beside level, time and message. */
interface LogFields {
  requestId?: string
  method?: string
  /** The route's pattern, never the path itself. */
  route?: string
  status?: number
  durationMs?: number
  door?: string
  operation?: string
  code?: string
  partnerId?: string
  keyId?: string
  mailId?: string
  template?: string
  attempts?: number
  url?: string
  database?: string
  signal?: string
  count?: number
  error?: unknown
}

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

const ALLOWED = new Set<string>([
  'requestId',
  'method',
  'route',
  'status',
  'durationMs',
  'door',
  'operation',
  'code',
  'partnerId',
  'keyId',
  'mailId',
  'template',
  'attempts',
  'url',
  'database',
  'signal',
  'count',
  'error'
] satisfies (keyof LogFields)[])

/** A logger that writes JSON lines to stderr, or to `write` in tests. */
export function createLog(
  level: string,
  write: (line: string) => void = (line) => process.stderr.write(line)
): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) }
    },
    { write }
  )
  const at = (name: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: LogFields) => {
    if (logger.isLevelEnabled(name)) logger[name](allowed(fields), message)
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function allowed(fields: LogFields = {}): Record<string, unknown> {
  const entries = Object.entries(fields).filter(([name, value]) => ALLOWED.has(name) && value !== undefined)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name === 'error' ? describeError(value) : value])
  )
}

/** Tokens of ours, passwords in URLs and long opaque strings, wherever an error's text quotes them. */
const SECRET_SHAPES =
  /\b(?:pkt|mct|sk)[_-][0-9A-Za-z_-]{8,}|(?<=:\/\/[^\s/:@]*:)[^\s@]+(?=@)|\b[0-9A-Za-z_-]{40,}\b/g

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
