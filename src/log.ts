// Structured logs on stderr. Only the fields listed here can ever be written, so that a body, a header or a secret
// can't get into a log by accident.
import { destination, pino } from 'pino'

const STDERR = 2

/** Everything that a log line may carry beside level, time and message; what is undefined is left out. */
interface LogFields {
  requestId?: string | undefined
  method?: string | undefined
  /** The route's pattern, never the path itself. */
  route?: string | undefined
  status?: number | undefined
  durationMs?: number | undefined
  door?: string | undefined
  operation?: string | undefined
  code?: string | undefined
  partnerId?: string | undefined
  keyId?: string | undefined
  instanceId?: string | undefined
  mailId?: string | undefined
  template?: string | undefined
  attempts?: number | undefined
  url?: string | undefined
  database?: string | undefined
  signal?: string | undefined
  count?: number | undefined
  /** Which kind of work behind the Minds. */
  work?: string | undefined
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
  'instanceId',
  'mailId',
  'template',
  'attempts',
  'url',
  'database',
  'signal',
  'count',
  'work',
  'error'
] satisfies (keyof LogFields)[])

/** A logger that writes JSON lines to stderr, each at once, or to `write` in tests. */
export function createLog(level: string, write?: (line: string) => void): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) }
    },
    write ? { write } : destination({ dest: STDERR, sync: true })
  )
  const at = (name: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: LogFields) => {
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
