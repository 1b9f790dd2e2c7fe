// On SQLite a commit is written at once, and reaches the disk off the event loop: in place, the loop would stand still for
// as long as the disk takes, and each commit would wait for one of its own.
import { type FileHandle, open } from 'node:fs/promises'
import { unreachable } from './faults.ts'

export interface WalSync {
  /** As `reach`, for who has written nothing: what others did, and what may have been seen of it. */
  settled(): Promise<void>
  /**
   * Resolves when everything that was committed before has reached the disk.
   * @throws ServiceError `database_unavailable` when that can't be said of it
   */
  reach(): Promise<void>
  close(): Promise<void>
}

/** Some 2,000 pages of commits as they usually are. */
const CHECKPOINT_AFTER = 50

/**
 * @param file of the database: its write-ahead log stands beside it for as long as a connection is open
 * @param checkpoint is called now and then for the log to be taken into the file, off the event loop; says whether it was all
 */
export function createWalSync(file: string, checkpoint: () => Promise<boolean>): WalSync {
  let log: FileHandle | undefined
  let isTorn = false
  let commits = 0
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined

  const begin = (): Promise<void> => {
    running = sync().finally(() => {
      running = undefined
    })
    return running
  }
  const sync = async () => {
    try {
      if (isTorn) {
        if (!(await checkpoint())) throw new Error('The log could not be taken into the file')
        isTorn = false
        return
      }
      log ??= await open(`${file}-wal`, 'r+')
      await log.datasync()
    } catch (error) {
      // The system tells of what it couldn't write once, and then takes it for written: nothing that stands behind it in the
      // log would count, until the file itself has everything.
      isTorn = true
      throw unreachable(error)
    }
  }
  // What is under way may have begun before the caller's commit.
  const follow = async (before: Promise<void>) => {
    await Promise.allSettled([before])
    following = undefined
    return begin()
  }

  return {
    reach() {
      commits += 1
      if (commits % CHECKPOINT_AFTER === 0) {
        // Where it fails, SQLite does so in place once the log has grown large.
        checkpoint().catch(() => undefined)
      }
      if (!running) return begin()
      following ??= follow(running)
      return following
    },
    settled: async () => following ?? running ?? (isTorn ? begin() : undefined),
    close: async () => log?.close()
  }
}
