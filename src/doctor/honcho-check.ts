// Whether Honcho answers and takes our key, and whether what was forgotten here is gone there.
import type { ReadHandle } from '../database/database.ts'
import { openHoncho, wordsFor } from '../memory/honcho/api.ts'
import { waitingRemovals } from '../memory/honcho/removals.ts'
import type { HonchoSettings } from '../memory/honcho/variables.ts'
import { UpstreamError } from '../net/fetch-json.ts'
import { type Finding, findingsOf } from './finding.ts'
import { isPlainRemote } from './machine-check.ts'

const { ok, warn, fail } = findingsOf('Honcho')
const removals = findingsOf('removals')
const DEADLINE_MS = 10_000

export async function checkHoncho({ server }: HonchoSettings): Promise<Finding[]> {
  if (!server) return []
  const { host } = new URL(server.url)
  const remedy = 'Check HONCHO_URL and HONCHO_KEY, and that this machine reaches it.'
  try {
    const mind = openHoncho(server).mind('mindgate-doctor', { timeoutMs: DEADLINE_MS })
    if (!(await mind.presentSessions(['none'])))
      return [fail(`${host} has no API of Honcho, version 3.`, remedy)]
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return [fail(`${host} can’t be used: ${wordsFor(error)}`, remedy)]
  }
  if (isPlainRemote(new URL(server.url))) {
    return [warn(`${host} answers, but memories and key cross the network in the clear.`, 'Use https://….')]
  }
  return [ok(`${host} answers and takes our key.`)]
}

export async function checkRemovals(db: ReadHandle, { server }: HonchoSettings): Promise<Finding[]> {
  const waiting = await waitingRemovals(db)
  return waiting.flatMap(({ serverUrl, count, lastError }) => {
    const what = `${count} forgotten memories or Minds are still to be deleted at ${new URL(serverUrl).host}.`
    if (serverUrl !== server?.url)
      return [removals.warn(what, `Run the service with HONCHO_URL=${serverUrl} until they are.`)]
    if (!lastError) return [removals.ok(what)]
    return [removals.warn(`${what} ${lastError}`, 'Repair what it says; the service tries again by itself.')]
  })
}
