// One run of the public suite, as what each check of each scenario came to.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Toolbox } from './toolbox.ts'

/** The versions that have scenarios about tools: the two newest of the older era, and the newer era's. */
export const VERSIONS = ['2025-06-18', '2025-11-25', '2026-07-28'] as const
export type Version = (typeof VERSIONS)[number]

export interface Check {
  version: Version
  scenario: string
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  /** What the suite says about it; empty for most that pass. */
  message: string
}

/** The suite's own log of the wire, which it files among the checks. */
const WIRE_LOG = ['outgoing-request', 'incoming-response']

const Checks = z.array(
  z.object({
    id: z.string(),
    status: z.enum(['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO']),
    errorMessage: z.string().optional(),
    details: z.object({ message: z.string().optional(), note: z.string().optional() }).optional()
  })
)

/** Every scenario of every version, one version after the other. */
export async function runScenarios(toolbox: Toolbox, url: string): Promise<Check[]> {
  const checks: Check[] = []
  for (const version of VERSIONS) checks.push(...(await runVersion(toolbox, url, version)))
  return checks
}

/**
 * Runs every scenario of a version against the server at `url`.
 *
 * @throws Error when that left no results
 */
async function runVersion(toolbox: Toolbox, url: string, version: Version): Promise<Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mindgate-scenarios-'))
  try {
    const args = ['--url', url, '--suite', 'all', '--spec-version', version, '--output-dir', folder]
    const { stdout, stderr } = await toolbox.conformance('server', ...args)
    const checks = readdirSync(folder).flatMap((name) => readChecks(folder, name, version))
    if (checks.length === 0) throw new Error(`The suite left no results: ${stdout}${stderr}`)
    return checks
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Folders are named `server-<scenario>-<time>`. */
function readChecks(folder: string, name: string, version: Version): Check[] {
  const scenario = /^server-(.+?)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/.exec(name)?.[1]
  if (scenario === undefined) throw new Error(`No scenario is named in ${name}`)
  return Checks.parse(JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')))
    .filter(({ id }) => !WIRE_LOG.includes(id))
    .map(({ id, status, errorMessage, details }) => ({
      version,
      scenario,
      id,
      status,
      message: errorMessage ?? details?.message ?? details?.note ?? ''
    }))
}

/** Every server scenario that the suite has, and whether it is about an extension of the protocol. */
export async function listScenarios(toolbox: Toolbox): Promise<{ name: string; isExtension: boolean }[]> {
  const { stdout } = await toolbox.conformance('list', '--server')
  return [...stdout.matchAll(/^ +- (\S+) \[(\S+)\]$/gm)].map(([, name = '', versions]) => ({
    name,
    isExtension: versions === 'extension'
  }))
}
