// Row types of what is kept about Honcho.

/**
 * Something that was forgotten here and is to be deleted at Honcho. It stands apart from the Mind, which may be gone.
 */
export interface HonchoRemovalTable {
  /** The Honcho that it was forwarded to. */
  serverUrl: string
  /** The Mind's id. */
  workspaceId: string
  /** The memory's id; '' for all of the Mind. */
  sessionId: string
  /** When it is tried next. */
  dueAt: string
  /** Which process deletes it now. */
  leaseOwner: string | null
  /** Until then it might still get there, by a call that is under way: deleted before, it is deleted once more. */
  settledAt: string
  /** Failures in a row. */
  attempts: number
  /** What the last attempt failed with, in our words. */
  lastError: string | null
  createdAt: string
}

export interface HonchoTables {
  honchoRemoval: HonchoRemovalTable
}
