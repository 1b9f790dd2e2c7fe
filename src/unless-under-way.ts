const underWay = new Set<string>()

/** Does the work unless it is under way: what every request asks for waits once for a locked database, not for each. */
export async function unlessUnderWay(name: string, work: () => Promise<unknown>): Promise<void> {
  if (underWay.has(name)) return
  underWay.add(name)
  try {
    await work()
  } finally {
    underWay.delete(name)
  }
}
