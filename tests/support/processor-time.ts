/**
 * How long this process has been at work from now on, in milliseconds: unlike the clock, whatever else the machine does.
 *
 * @example
 * const worked = processorTime()
 * parse(text)
 * expect(worked()).toBeLessThan(50)
 */
export function processorTime(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
}
