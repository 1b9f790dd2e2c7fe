/** How a deploy paces itself, in milliseconds; tests can't wait that long. */
export const DEPLOY_TIMES = {
  /** Between two looks at a script that runs. */
  pollMs: 1_000,
  /** How often to look for deploys that another process left behind. */
  lookMs: 5_000,
  /** For how long a process that says nothing keeps its deploys. */
  leaseMs: 20_000,
  /** How long a server may be unreachable before anything was begun on it. */
  connectMs: 120_000,
  /** The same once the script runs there. */
  silenceMs: 1_800_000,
  /** Waits after a fault; doubled after each further one. */
  firstRetryMs: 1_000,
  longestRetryMs: 30_000,
  /** One command or upload. */
  commandMs: 30_000
}
export type DeployTimes = typeof DEPLOY_TIMES
