// What passes, check by check, and at which versions. A check that is missing here fails the test as much as one that
// is here and doesn't pass. Every scenario's messages are held against the protocol's schema besides.
import type { Version } from './scenarios.ts'

type Passing = Readonly<Record<string, Readonly<Record<string, readonly Version[]>>>>

const OLDER: readonly Version[] = ['2025-06-18', '2025-11-25']
const NEWER: readonly Version[] = ['2026-07-28']
const LAST_TWO: readonly Version[] = ['2025-11-25', '2026-07-28']
const ALL: readonly Version[] = [...OLDER, ...NEWER]

const all = (versions: readonly Version[], ...checks: string[]): Record<string, readonly Version[]> =>
  Object.fromEntries(checks.map((check) => [check, versions]))

/** The scenario, its checks, and the versions at which they pass. */
export const passing: Passing = {
  'server-initialize': all(OLDER, 'server-initialize'),
  ping: all(OLDER, 'ping'),
  'tools-list': {
    'tools-list': ALL,
    'tools-name-format': LAST_TWO,
    'tools-list-deterministic-order': NEWER
  },
  'prompts-list': all(ALL, 'prompts-list'),
  'resources-list': all(ALL, 'resources-list'),
  'dns-rebinding-protection': all(
    LAST_TWO,
    'localhost-host-rebinding-rejected',
    'localhost-host-valid-accepted'
  ),
  'server-sse-multiple-streams': all(NEWER, 'server-accepts-multiple-post-streams'),
  caching: all(
    NEWER,
    'sep-2549-tools-list-caching-hints',
    'sep-2549-prompts-list-caching-hints',
    'sep-2549-resources-list-caching-hints',
    'sep-2549-resources-templates-list-caching-hints',
    'sep-2549-ttl-non-negative',
    'sep-2549-cache-scope-valid'
  ),
  'http-header-validation': all(
    NEWER,
    'sep-2243-server-reject-invalid-headers',
    'sep-2243-server-reject-error-code',
    'sep-2243-server-accepts-whitespace-header-value',
    'sep-2243-header-name-case-insensitive'
  ),
  'server-stateless': all(
    NEWER,
    'sep-2575-request-meta-invalid-missing-meta',
    'sep-2575-request-meta-invalid-missing-protocol-version',
    'sep-2575-request-meta-invalid-missing-client-capabilities',
    'sep-2575-request-meta-client-info-optional',
    'sep-2575-http-server-meta-invalid-400',
    'sep-2575-server-implements-discover',
    'sep-2575-server-identifies-in-result-meta',
    'sep-2575-server-declares-prompts-in-discover',
    'sep-2575-discover-capabilities-match-handlers',
    'sep-2575-server-unsupported-version-error',
    'sep-2575-http-server-unsupported-version-400',
    'sep-2575-http-server-header-mismatch-400',
    'sep-2575-http-server-method-not-found-404',
    'sep-2575-http-server-method-not-found-404-initialize',
    'sep-2575-http-server-method-not-found-404-ping',
    'sep-2575-http-server-method-not-found-404-logging-setlevel',
    'sep-2575-http-server-method-not-found-404-resources-subscribe',
    'sep-2575-http-server-method-not-found-404-resources-unsubscribe',
    'sep-2575-http-server-error-jsonrpc-id'
  ),
  'sep-2164-resource-not-found': all(
    NEWER,
    'sep-2164-no-empty-contents',
    'sep-2164-error-code',
    'sep-2164-data-uri'
  ),
  'input-required-result-unsupported-methods': all(NEWER, 'sep-2322-not-on-unsupported-requests'),
  // The tool that these call isn't ours; that an unknown tool is a protocol error is what passes.
  'input-required-result-validate-input': all(
    NEWER,
    'sep-2322-validate-input-responses',
    'sep-2322-error-on-protocol-error'
  )
}

/** Scenarios in which the suite doesn't hold the messages against the protocol's schema. */
export const withoutSchemaCheck: readonly string[] = [
  'dns-rebinding-protection',
  'server-session-lifecycle',
  'server-sse-multiple-streams',
  'server-sse-polling',
  'server-stateless'
]
