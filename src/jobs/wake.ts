// Looking for work: whenever it is woken, never twice at once, and once more where it was woken meanwhile.

export interface Looker {
  wake(): void
  /** Resolves when no look is under way. */
  settled(): Promise<void>
  isLooking(): boolean
}

/** @param look must not reject; it isn't begun any more once `stopping` has aborted */
export function lookWhenWoken(look: () => Promise<void>, stopping: AbortSignal): Looker {
  let looking: Promise<void> | undefined
  let isWoken = false
  const lookWhileWoken = async () => {
    while (isWoken && !stopping.aborted) {
      isWoken = false
      await look()
    }
    looking = undefined
  }
  return {
    wake() {
      isWoken = true
      if (!stopping.aborted) looking ??= lookWhileWoken()
    },
    settled: async () => looking,
    isLooking: () => looking !== undefined
  }
}
