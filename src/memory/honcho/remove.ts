// Deletes at Honcho, a bounded part at a time. Each step can be done again: what isn't there any more counts as deleted.
import { UpstreamError } from '../../net/fetch-json.ts'
import type { Honcho } from './api.ts'

interface Removing {
  honcho: Honcho
  signal: AbortSignal
}

/**
 * A memory: its session, and what Honcho concluded from several memories, for it doesn't say which. Honcho concludes
 * anew from those that are left. Tells whether nothing is left to do.
 *
 * @throws UpstreamError
 */
export async function removeMemory(
  { honcho, signal }: Removing,
  { workspaceId, sessionId }: { workspaceId: string; sessionId: string }
): Promise<boolean> {
  await honcho.removeSession(workspaceId, sessionId, { signal })
  const conclusions = await honcho.drawnConclusions(workspaceId, { signal })
  for (const id of conclusions) await honcho.removeConclusion(workspaceId, id, { signal })
  if (conclusions.length > 0) return false
  const card = await honcho.card(workspaceId, { signal })
  // Writing it would make a workspace that isn't there.
  if (card.length > 0) await honcho.emptyCard(workspaceId, { signal })
  return true
}

/**
 * A Mind: Honcho deletes a workspace only once it has no session. Tells whether nothing is left to do.
 *
 * @throws UpstreamError
 */
export async function removeMind({ honcho, signal }: Removing, workspaceId: string): Promise<boolean> {
  const sessions = await honcho.someSessions(workspaceId, { signal })
  for (const id of sessions) await honcho.removeSession(workspaceId, id, { signal })
  if (sessions.length > 0) return false
  try {
    await honcho.removeWorkspace(workspaceId, { signal })
    return true
  } catch (error) {
    // A session came in between.
    if (error instanceof UpstreamError && error.status === 409) return false
    throw error
  }
}
