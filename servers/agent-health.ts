import type { AgentHealth } from '../schemas/instance.ts'

/** How a server is, in the words of the console and of the command line; null for what it doesn't tell. */
export const healthInWords = (health: AgentHealth): Record<string, string | null> => ({
  'Agent version': health.version,
  'Free disk': ofWhole(health.diskFreeBytes, health.diskTotalBytes),
  'Free memory': ofWhole(health.memoryFreeBytes, health.memoryTotalBytes),
  Load: health.load?.toFixed(2) ?? null,
  'Up for': health.uptimeSeconds === null ? null : inDays(health.uptimeSeconds),
  'Own service': health.isGatewayRunning === null ? null : health.isGatewayRunning ? 'runs' : 'stopped'
})

const GIB = 2 ** 30

const ofWhole = (free: number | null, whole: number | null): string | null =>
  free === null || whole === null ? null : `${(free / GIB).toFixed(1)} of ${(whole / GIB).toFixed(1)} GiB`

function inDays(seconds: number): string {
  const hours = Math.floor(seconds / 3_600)
  if (hours === 0) return `${Math.max(1, Math.floor(seconds / 60))} min`
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}
