// Environment → typed configuration. Every variable is listed here, with its default; the README's table is made
// from the same texts.

import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { CreditPrice } from '../schemas/credits.ts'
import type { Provider } from '../schemas/voice-agent.ts'
import { type AiGatewaySettings, aiGatewayOf, aiGatewayVariables } from './ai-gateway/variables.ts'
import { DEFAULT_INSTALL } from './catalog/cli-agent/install.ts'
import { httpUrl, optional, secretKeys, wholeNumber, withDefault } from './config-values.ts'
import type { CreditPrices } from './credits/prices.ts'
import { DEPLOY_TIMES, type DeployTimes } from './instances/deploy/times.ts'
import { type Retention, retentionOf, retentionVariables } from './jobs/retention.ts'
import { type ModelSettings, modelSettingsOf, modelVariables } from './llm/variables.ts'
import { type HonchoSettings, honchoSettingsOf, honchoVariables } from './memory/honcho/variables.ts'
import { toMicros } from './money.ts'

const credits = (fallback: number) =>
  z.preprocess((value) => (value === '' || value === undefined ? fallback : Number(value)), CreditPrice)

/** What MEMORY_DEADLINE_MS can be set to. */
export const LONGEST_ASK_MS = 60_000

/** What SSH_CONNECT_TIMEOUT_MS can be set to. */
export const LONGEST_CONNECT_MS = 30_000

const Environment = z.object({
  HOST: withDefault('127.0.0.1').describe('Address to listen on.'),
  PORT: wholeNumber(8080, 65_535).describe('Port to listen on; 0 picks a free one.'),
  DATA_DIR: withDefault('data').describe('Folder of the SQLite file, the secret key and the file outbox.'),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/ })).describe(
    'postgres://… to use PostgreSQL instead of SQLite in DATA_DIR.'
  ),
  DATABASE_POOL: wholeNumber(10, 1000).describe('Most PostgreSQL connections of one process.'),
  PUBLIC_URL: optional(httpUrl).describe(
    'How browsers reach this service; the base of links in mails. Default: the address listened on.'
  ),
  SECRET_KEY: optional(z.string().min(32)).describe(
    'At least 32 characters; seals secrets in the database. Made and kept in DATA_DIR/secret.key when absent.'
  ),
  SECRET_KEY_PREVIOUS: secretKeys.describe(
    'Comma-separated keys that still open what they sealed, while SECRET_KEY is exchanged.'
  ),
  MAIL_URL: optional(z.url({ protocol: /^smtps?$/ })).describe(
    'smtp://user:password@host:port or smtps://…; without it mails are written to DATA_DIR/outbox as .eml files.'
  ),
  MAIL_FROM: withDefault('Mindgate <no-reply@localhost>').describe(
    'Sender of mails; the partner’s brand replaces the name.'
  ),
  MAIL_TIMEOUT_MS: wholeNumber(30_000, 600_000).describe(
    'Longest silence of the SMTP server, in milliseconds.'
  ),
  MAIL_RETRY_MS: wholeNumber(15_000, 3_600_000).describe(
    'Wait before the second attempt at a mail; doubled after each further one.'
  ),
  MAIL_ATTEMPTS: wholeNumber(8, 100).describe('Attempts at a mail before it is given up.'),
  LOG_LEVEL: withDefault('info', z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])).describe(
    'fatal, error, warn, info, debug or silent.'
  ),
  TRUST_PROXY: wholeNumber(0, 10).describe(
    'How many reverse proxies stand in front and set X-Forwarded-For.'
  ),
  RATE_LIMIT: wholeNumber(6_000, 1_000_000_000).describe(
    'Requests a minute of one API key, over REST and MCP together, of one person in portal or console, and refused ones of one address; 0 is no limit.'
  ),
  SIGN_IN_LIMIT: wholeNumber(10, 1_000_000).describe(
    'Failed sign-ins of one account from one network in 15 minutes, ten times as many from everywhere; 0 is no limit.'
  ),
  SIGN_IN_ADDRESS_LIMIT: wholeNumber(100, 1_000_000).describe(
    'Failed sign-ins of one address in 15 minutes, whatever the account; 0 is no limit.'
  ),
  MAIL_ADDRESS_LIMIT: wholeNumber(10, 1_000_000).describe(
    'Invites and resets a day to one address: of one customer’s people, of the partner, and of “forgot”, each; 0 is no limit.'
  ),
  MAIL_CUSTOMER_LIMIT: wholeNumber(50, 1_000_000).describe(
    'Mails a day that the people of one customer cause in its portal; 0 is no limit.'
  ),
  MEMORY_RATE_LIMIT: wholeNumber(600, 1_000_000_000).describe(
    'Calls a minute of one customer’s memory that remember or ask, by all its tokens and its partner’s keys together; a text counts as a call for each 4,000 characters; 0 is no limit.'
  ),
  MEMORY_DEADLINE_MS: wholeNumber(20_000, LONGEST_ASK_MS).describe(
    'Longest search of a memory for an answer, in milliseconds; what takes longer is refused with 503 and not charged.'
  ),
  CREDITS_INITIAL: credits(1_000).describe('Credits that a new partner starts with.'),
  CREDIT_PRICE_REMEMBER: credits(1).describe('Credits for one memory stored; 0 is free.'),
  CREDIT_PRICE_ASK_STANDARD: credits(1).describe('Credits for one answer at the standard level.'),
  CREDIT_PRICE_ASK_ENHANCED: credits(3).describe('Credits for one answer at the enhanced level.'),
  CREDIT_PRICE_ASK_DEEP: credits(10).describe('Credits for one answer at the deep level.'),
  ALLOWED_HOSTS: withDefault('').describe(
    'Comma-separated host names that the MCP doors answer to beside the one of PUBLIC_URL and this machine’s own.'
  ),
  PROVIDER_A_URL: withDefault('https://api.vapi.ai', httpUrl).describe(
    'Base URL of voice-agent provider A (Vapi’s API).'
  ),
  PROVIDER_B_URL: withDefault('https://api.retellai.com', httpUrl).describe(
    'Base URL of voice-agent provider B (Retell’s API).'
  ),
  PROVIDER_TIMEOUT_MS: wholeNumber(10_000, 60_000).describe(
    'Longest wait for an answer of a voice-agent provider, in milliseconds.'
  ),
  SSH_ALLOW_PRIVATE: wholeNumber(0, 1).describe(
    '1 lets instances lie on private, loopback and link-local addresses; 0 refuses those.'
  ),
  SSH_CONNECT_TIMEOUT_MS: wholeNumber(10_000, LONGEST_CONNECT_MS).describe(
    'Longest wait for an SSH connection to an instance, in milliseconds.'
  ),
  SSH_KEEP_MS: wholeNumber(300_000, 3_600_000).describe(
    'How long an SSH connection is kept after its last use, in milliseconds.'
  ),
  ...modelVariables,
  ...honchoVariables,
  ...aiGatewayVariables,
  CHAT_TIMEOUT_MS: wholeNumber(55_000, 600_000).describe(
    'Longest wait for an agent’s reply to a chat message, its place in the queue included, in milliseconds.'
  ),
  CLI_AGENT_INSTALL: withDefault(DEFAULT_INSTALL).describe(
    'Shell command that puts the agent’s hermes into PATH on a customer’s server; true when it is already there.'
  ),
  ...retentionVariables,
  METRICS_TOKEN: optional(z.string().min(16)).describe(
    'Bearer token of GET /metrics (Prometheus), at least 16 characters; without it there is no such page.'
  ),
  BUSY_DEADLINE_MS: wholeNumber(10_000, 600_000).describe(
    'How long a write waits for a lock that somebody else holds on the database, in milliseconds.'
  )
})

export interface Config {
  host: string
  port: number
  /** Absolute. */
  dataDir: string
  /** `postgres://…`, or the path of the SQLite file. */
  databaseLocation: string
  databasePool: number
  publicUrl: string | undefined
  secretKey: string
  /** They only open. */
  previousSecretKeys: readonly string[]
  mailUrl: string | undefined
  mailFrom: string
  mailTimeoutMs: number
  mailRetryMs: number
  mailAttempts: number
  logLevel: string
  trustedProxies: number
  /** Requests of one API key or person in a window, and refused ones of one address; 0 for no limit. */
  rateLimit: number
  /** Failed sign-ins of one account from one network in a window; 0 for no limit. */
  signInLimit: number
  /** Failed sign-ins of one address in a window; 0 for no limit. */
  signInAddressLimit: number
  /** 15 minutes, but for tests that can't wait that long. */
  signInWindowSeconds: number
  /** Mails that people cause in a day, to one address and of one customer; 0 for no limit. */
  mailAddressLimit: number
  mailCustomerLimit: number
  /** Remembers and asks of one customer in a window; 0 for no limit. */
  memoryRateLimit: number
  /** How long a memory may be searched for an answer. */
  memoryDeadlineMs: number
  /** A minute, but for tests that can't wait that long. */
  rateWindowSeconds: number
  /** What a new partner's account starts with. */
  initialCreditMicros: number
  /** In millionths of a credit. */
  creditPrices: CreditPrices
  allowedHosts: readonly string[]
  /** `undefined` where no metrics are shown. */
  metricsToken: string | undefined
  busyDeadlineMs: number
  /** Whether instances may lie on addresses that only this network reaches. */
  sshAllowPrivate: boolean
  sshConnectTimeoutMs: number
  /** How long a connection is kept after its last use. */
  sshKeepMs: number
  models: ModelSettings
  honcho: HonchoSettings
  aiGateway: AiGatewaySettings
  /** As they are, but for tests that can't wait that long. */
  deployTimes: DeployTimes
  /** From a chat message's coming to its answer. */
  chatTimeoutMs: number
  /** One line of shell, run on a customer's server. */
  cliAgentInstall: string
  /** How long what is written down is kept. */
  retention: Retention
  providerUrls: Readonly<Record<Provider, string>>
  providerTimeoutMs: number
}

/** One variable that can't be used; the message says which and why. */
export class ConfigError extends Error {}

/**
 * Reads the configuration and makes what it needs on disk: DATA_DIR, and the secret key when none is given.
 *
 * @throws ConfigError naming every variable that is wrong, without its value
 */
export function loadConfig(env: NodeJS.ProcessEnv): Config {
  const variables = readVariables(env)
  const dataDir = resolve(variables.DATA_DIR)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return {
    host: variables.HOST,
    port: variables.PORT,
    dataDir,
    databaseLocation: variables.DATABASE_URL ?? join(dataDir, 'mindgate.db'),
    databasePool: Math.max(2, variables.DATABASE_POOL),
    publicUrl: variables.PUBLIC_URL,
    secretKey: variables.SECRET_KEY ?? keptSecretKey(join(dataDir, 'secret.key')),
    previousSecretKeys: variables.SECRET_KEY_PREVIOUS,
    mailUrl: variables.MAIL_URL,
    mailFrom: variables.MAIL_FROM,
    mailTimeoutMs: variables.MAIL_TIMEOUT_MS,
    mailRetryMs: variables.MAIL_RETRY_MS,
    mailAttempts: Math.max(1, variables.MAIL_ATTEMPTS),
    logLevel: variables.LOG_LEVEL,
    trustedProxies: variables.TRUST_PROXY,
    rateLimit: variables.RATE_LIMIT,
    signInLimit: variables.SIGN_IN_LIMIT,
    signInAddressLimit: variables.SIGN_IN_ADDRESS_LIMIT,
    signInWindowSeconds: 900,
    mailAddressLimit: variables.MAIL_ADDRESS_LIMIT,
    mailCustomerLimit: variables.MAIL_CUSTOMER_LIMIT,
    memoryRateLimit: variables.MEMORY_RATE_LIMIT,
    memoryDeadlineMs: Math.max(1, variables.MEMORY_DEADLINE_MS),
    rateWindowSeconds: 60,
    initialCreditMicros: toMicros(variables.CREDITS_INITIAL),
    creditPrices: {
      remember: toMicros(variables.CREDIT_PRICE_REMEMBER),
      ask: {
        standard: toMicros(variables.CREDIT_PRICE_ASK_STANDARD),
        enhanced: toMicros(variables.CREDIT_PRICE_ASK_ENHANCED),
        deep: toMicros(variables.CREDIT_PRICE_ASK_DEEP)
      }
    },
    allowedHosts: variables.ALLOWED_HOSTS.split(',')
      .map((host) => host.trim().toLowerCase())
      .filter(Boolean),
    metricsToken: variables.METRICS_TOKEN,
    busyDeadlineMs: variables.BUSY_DEADLINE_MS,
    sshAllowPrivate: variables.SSH_ALLOW_PRIVATE === 1,
    sshConnectTimeoutMs: Math.max(1, variables.SSH_CONNECT_TIMEOUT_MS),
    sshKeepMs: variables.SSH_KEEP_MS,
    models: modelSettingsOf(variables, (problem) => refuse([problem])),
    honcho: honchoSettingsOf(variables, (problem) => refuse([problem])),
    aiGateway: aiGatewayOf(variables, (problem) => refuse([problem])),
    deployTimes: DEPLOY_TIMES,
    chatTimeoutMs: Math.max(1, variables.CHAT_TIMEOUT_MS),
    cliAgentInstall: variables.CLI_AGENT_INSTALL,
    retention: retentionOf(variables),
    providerUrls: { a: variables.PROVIDER_A_URL, b: variables.PROVIDER_B_URL },
    providerTimeoutMs: Math.max(1, variables.PROVIDER_TIMEOUT_MS)
  }
}

/**
 * The variables as they are given, with their defaults; makes nothing on disk.
 *
 * @throws ConfigError naming every variable that is wrong, without its value
 */
export function readVariables(env: NodeJS.ProcessEnv): z.output<typeof Environment> {
  const parsed = Environment.safeParse(env)
  if (parsed.success) return parsed.data
  return refuse(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
}

function refuse(problems: readonly string[]): never {
  throw new ConfigError(`The configuration can’t be used. ${problems.join('; ')}`)
}

/** Name, default and meaning of every variable, for the README and `mindgate doctor`. */
export function describeVariables(): { name: string; fallback: string; description: string }[] {
  return Object.entries(Environment.shape).map(([name, schema]) => ({
    name,
    fallback: String(schema.parse(undefined) ?? ''),
    description: schema.description ?? ''
  }))
}

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
