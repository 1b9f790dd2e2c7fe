// Each variable is one entry: where it ends up, its name, how it is read with its default, and what it means.
// `tests/cli/readme.test.ts` holds the README's table to them.
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CreditPrice } from '../schemas/credits.ts'
import { aiGatewayOf, aiGatewayVariables } from './ai-gateway/variables.ts'
import { DEFAULT_INSTALL } from './catalog/cli-agent/app.ts'
import { MINUTE_MS } from './clock.ts'
import {
  env,
  folder,
  hosts,
  httpUrl,
  oneOrZero,
  optional,
  readTree,
  type Settled,
  secretKeys,
  variablesOf,
  wholeNumber,
  withDefault
} from './config-values.ts'
import { DEPLOY_TIMES } from './instances/deploy/times.ts'
import { modelSettingsOf, modelVariables } from './llm/variables.ts'
import { honchoSettingsOf, honchoVariables } from './memory/honcho/variables.ts'
import { toMicros } from './money.ts'

/** In millionths. */
const credits = (fallback: number) =>
  z
    .preprocess((value) => (value === '' || value === undefined ? fallback : Number(value)), CreditPrice)
    .transform(toMicros)
    .meta({ fallback })

/** What MEMORY_DEADLINE_MS can be set to. */
export const LONGEST_ASK_MS = 60_000

/** What SSH_CONNECT_TIMEOUT_MS can be set to. */
export const LONGEST_CONNECT_MS = 30_000

const LONGEST_DAYS = 36_500

const days = (fallback: number, what: string) =>
  wholeNumber(fallback, LONGEST_DAYS).describe(`Days that ${what} are kept; 0 is for ever.`)

const settings = {
  host: env('HOST', withDefault('127.0.0.1')).describe('Address to listen on.'),
  port: env('PORT', wholeNumber(8080, 65_535)).describe('Port to listen on; 0 picks a free one.'),
  dataDir: env('DATA_DIR', folder('data')).describe(
    'Folder of the SQLite file, the secret key and the file outbox.'
  ),
  databaseUrl: env('DATABASE_URL', optional(z.url({ protocol: /^postgres(ql)?$/ }))).describe(
    'postgres://… to use PostgreSQL instead of SQLite in DATA_DIR.'
  ),
  databasePool: env('DATABASE_POOL', wholeNumber(10, 1000, 2)).describe(
    'Most PostgreSQL connections of one process.'
  ),
  preparesStatements: env('DATABASE_PREPARED', oneOrZero(1)).describe(
    '1 to have PostgreSQL keep the plans of statements that come often; 0 for a pooler that can’t.'
  ),
  publicUrl: env('PUBLIC_URL', optional(httpUrl)).describe(
    'How browsers reach this service; the base of links in mails. Default: the address listened on.'
  ),
  secretKey: env('SECRET_KEY', optional(z.string().min(32))).describe(
    'At least 32 characters; seals secrets in the database. Made and kept in DATA_DIR/secret.key when absent.'
  ),
  /** They only open. */
  previousSecretKeys: env('SECRET_KEY_PREVIOUS', secretKeys).describe(
    'Comma-separated keys that still open what they sealed, while SECRET_KEY is exchanged.'
  ),
  mailUrl: env('MAIL_URL', optional(z.url({ protocol: /^smtps?$/ }))).describe(
    'smtp://user:password@host:port or smtps://…; without it mails are written to DATA_DIR/outbox as .eml files.'
  ),
  mailFrom: env('MAIL_FROM', withDefault('Mindgate <no-reply@localhost>')).describe(
    'Sender of mails; the partner’s brand replaces the name.'
  ),
  mailTimeoutMs: env('MAIL_TIMEOUT_MS', wholeNumber(30_000, 600_000)).describe(
    'Longest silence of the SMTP server, in milliseconds.'
  ),
  mailRetryMs: env('MAIL_RETRY_MS', wholeNumber(15_000, 3_600_000)).describe(
    'Wait before the second attempt at a mail; doubled after each further one.'
  ),
  mailAttempts: env('MAIL_ATTEMPTS', wholeNumber(8, 100, 1)).describe(
    'Attempts at a mail before it is given up.'
  ),
  logLevel: env(
    'LOG_LEVEL',
    withDefault('info', z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']))
  ).describe('fatal, error, warn, info, debug or silent.'),
  drainMs: env('DRAIN_MS', wholeNumber(0, 60_000)).describe(
    'How long a process that is told to stop still takes requests, while /readyz says so, in milliseconds; longer than a proxy takes to ask.'
  ),
  trustedProxies: env('TRUST_PROXY', wholeNumber(0, 10)).describe(
    'How many reverse proxies stand in front and set X-Forwarded-For.'
  ),
  rateLimit: env('RATE_LIMIT', wholeNumber(6_000, 1_000_000_000)).describe(
    'Requests a minute of one API key, over REST and MCP together, of one person in portal or console, and refused ones of one address; 0 is no limit.'
  ),
  signInLimit: env('SIGN_IN_LIMIT', wholeNumber(10, 1_000_000)).describe(
    'Failed sign-ins of one account from one network in 15 minutes, ten times as many from everywhere; 0 is no limit.'
  ),
  signInAddressLimit: env('SIGN_IN_ADDRESS_LIMIT', wholeNumber(100, 1_000_000)).describe(
    'Failed sign-ins of one address in 15 minutes, whatever the account; 0 is no limit.'
  ),
  mailAddressLimit: env('MAIL_ADDRESS_LIMIT', wholeNumber(10, 1_000_000)).describe(
    'Invites and resets a day to one address: of one customer’s people, of the partner, and of “forgot”, each; 0 is no limit.'
  ),
  mailCustomerLimit: env('MAIL_CUSTOMER_LIMIT', wholeNumber(50, 1_000_000)).describe(
    'Mails a day that the people of one customer cause in its portal; 0 is no limit.'
  ),
  memoryRateLimit: env('MEMORY_RATE_LIMIT', wholeNumber(600, 1_000_000_000)).describe(
    'Calls a minute of one customer’s memory that remember, ask or search for something, by all its tokens and its partner’s keys together; a text counts as a call for each 4,000 characters; 0 is no limit.'
  ),
  memoryDeadlineMs: env('MEMORY_DEADLINE_MS', wholeNumber(20_000, LONGEST_ASK_MS, 1)).describe(
    'Longest search of a memory for an answer, in milliseconds; what takes longer is refused with 503 and not charged.'
  ),
  initialCreditMicros: env('CREDITS_INITIAL', credits(1_000)).describe(
    'Credits that a new partner starts with.'
  ),
  /** In millionths of a credit. */
  creditPrices: {
    remember: env('CREDIT_PRICE_REMEMBER', credits(1)).describe('Credits for one memory stored; 0 is free.'),
    ask: {
      standard: env('CREDIT_PRICE_ASK_STANDARD', credits(1)).describe(
        'Credits for one answer at the standard level.'
      ),
      enhanced: env('CREDIT_PRICE_ASK_ENHANCED', credits(3)).describe(
        'Credits for one answer at the enhanced level.'
      ),
      deep: env('CREDIT_PRICE_ASK_DEEP', credits(10)).describe('Credits for one answer at the deep level.')
    }
  },
  allowedHosts: env('ALLOWED_HOSTS', hosts).describe(
    'Comma-separated host names that the MCP gateways answer to beside the one of PUBLIC_URL and this machine’s own.'
  ),
  providerUrls: {
    a: env('PROVIDER_A_URL', withDefault('https://api.vapi.ai', httpUrl)).describe(
      'Base URL of voice-agent provider A (Vapi’s API).'
    ),
    b: env('PROVIDER_B_URL', withDefault('https://api.retellai.com', httpUrl)).describe(
      'Base URL of voice-agent provider B (Retell’s API).'
    )
  },
  providerTimeoutMs: env('PROVIDER_TIMEOUT_MS', wholeNumber(10_000, 60_000, 1)).describe(
    'Longest wait for an answer of a voice-agent provider, in milliseconds.'
  ),
  usageSyncSeconds: env('USAGE_SYNC_SECONDS', wholeNumber(300, 86_400, 1)).describe(
    'How often a partner’s calls are read from its voice-agent providers, in seconds.'
  ),
  sshAllowPrivate: env('SSH_ALLOW_PRIVATE', oneOrZero(0)).describe(
    '1 lets instances lie on private, loopback and link-local addresses; 0 refuses those.'
  ),
  oauthAllowPrivate: env('OAUTH_ALLOW_PRIVATE', oneOrZero(0)).describe(
    '1 lets an app that signs in be described by a document on a private, loopback or link-local address; 0 refuses those.'
  ),
  webhookAllowPrivate: env('WEBHOOK_ALLOW_PRIVATE', oneOrZero(0)).describe(
    '1 lets webhooks go to private, loopback and link-local addresses, and without TLS; 0 refuses those.'
  ),
  webhookRetryMs: env('WEBHOOK_RETRY_MS', wholeNumber(5_000, 3_600_000, 1)).describe(
    'Wait before a webhook’s second attempt, in milliseconds; doubled after each further one up to 6 hours, for 3 days.'
  ),
  sshConnectTimeoutMs: env('SSH_CONNECT_TIMEOUT_MS', wholeNumber(10_000, LONGEST_CONNECT_MS, 1)).describe(
    'Longest wait for an SSH connection to an instance, in milliseconds.'
  ),
  sshKeepMs: env('SSH_KEEP_MS', wholeNumber(300_000, 3_600_000)).describe(
    'How long an SSH connection is kept after its last use, in milliseconds.'
  ),
  models: modelVariables,
  honcho: honchoVariables,
  aiGateway: aiGatewayVariables,
  chatTimeoutMs: env('CHAT_TIMEOUT_MS', wholeNumber(55_000, 600_000, 1)).describe(
    'Longest wait for an agent’s reply to a chat message, its place in the queue included, in milliseconds.'
  ),
  chatRunMs: env('CHAT_RUN_MS', wholeNumber(1_800_000, 21_600_000, 1_000)).describe(
    'How long an agent may work on one chat message before it is ended, whether or not anybody still waits, in milliseconds.'
  ),
  cliAgentInstall: env('CLI_AGENT_INSTALL', withDefault(DEFAULT_INSTALL)).describe(
    'Shell command that puts the agent’s hermes into PATH on a customer’s server; true when it is already there.'
  ),
  retention: {
    AUDIT_DAYS: days(365, 'entries of the audit log'),
    MAIL_DAYS: days(90, 'mails in the history, once sent or given up,'),
    WEBHOOK_DAYS: days(30, 'webhooks’ deliveries, once made or given up,'),
    DEPLOY_DAYS: days(90, 'deploys of a server, once a newer one began,'),
    CHAT_DAYS: days(365, 'chat messages with their replies'),
    AI_USAGE_DAYS: days(90, 'calls of agents at the AI gateway')
  },
  metricsToken: env('METRICS_TOKEN', optional(z.string().min(16))).describe(
    'Bearer token of GET /metrics (Prometheus), at least 16 characters; without it there is no such page.'
  ),
  traces: {
    endpoint: env('OTEL_EXPORTER_OTLP_ENDPOINT', optional(httpUrl)).describe(
      'Base URL of an OpenTelemetry collector (OTLP over HTTP) that traces are sent to; without it none are made.'
    ),
    ratio: env('OTEL_TRACES_SAMPLER_ARG', withDefault('1').pipe(z.coerce.number().min(0).max(1))).describe(
      'The share of traces that is kept, from 0 to 1.'
    )
  },
  busyDeadlineMs: env('BUSY_DEADLINE_MS', wholeNumber(10_000, 600_000)).describe(
    'How long a write waits for a lock that somebody else holds on the database, in milliseconds.'
  )
}

export type Config = ReturnType<typeof loadConfig>

export type Retention = Config['retention']

export class ConfigError extends Error {}

/** Makes DATA_DIR and a secret key, if need be. @throws ConfigError naming each wrong variable, without its value */
export function loadConfig(environment: NodeJS.ProcessEnv) {
  const { databaseUrl, ...given } = readVariables(environment)
  const { dataDir } = given
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const complain = (problem: string) => refuse([problem])
  return {
    ...given,
    databaseLocation: databaseUrl ?? join(dataDir, 'mindgate.db'),
    secretKey: given.secretKey ?? keptSecretKey(join(dataDir, 'secret.key')),
    models: modelSettingsOf(given.models, complain),
    honcho: honchoSettingsOf(given.honcho, complain),
    aiGateway: aiGatewayOf(given.aiGateway, complain),
    // As they are, but for tests that can't wait that long.
    signInWindowSeconds: 900,
    rateWindowSeconds: 60,
    deployTimes: DEPLOY_TIMES,
    /** How often an agent is looked at, and when again after a first look that failed. */
    agentCheckTimes: { everyMs: 10 * MINUTE_MS, againMs: MINUTE_MS, lookMs: 5_000 }
  }
}

/** Makes nothing on disk. @throws ConfigError naming every variable that is wrong, without its value */
export function readVariables(environment: NodeJS.ProcessEnv): Settled<typeof settings> {
  const problems: string[] = []
  const read = readTree(settings, environment, problems)
  return problems.length > 0 ? refuse(problems) : read
}

function refuse(problems: readonly string[]): never {
  throw new ConfigError(`The configuration can’t be used. ${problems.join('; ')}`)
}

export const describeVariables = () => variablesOf(settings)

/** Two processes that start at once on a fresh folder agree on one key: whoever links first wins. */
function keptSecretKey(file: string): string {
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
    try {
      linkSync(draft, file)
    } catch (error) {
      if (!existsSync(file)) throw error
    } finally {
      unlinkSync(draft)
    }
  }
  chmodSync(file, 0o600)
  return readFileSync(file, 'utf8').trim()
}
