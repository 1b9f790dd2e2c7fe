/** How a deploy paces itself, in milliseconds; tests can't wait that long. */
export interface DeployTimes {
  /** Between two looks at a script that runs. */
  pollMs: number
  /** How often to look for deploys that another process left behind. */
  lookMs: number
  /** For how long a process that says nothing keeps its deploys. */
  leaseMs: number
  /** How long a server may be unreachable before anything was begun on it. */
  connectMs: number
  /** The same once the script runs there. */
  silenceMs: number
  /** The first wait after a fault; doubled after each further one. */
  firstRetryMs: number
  /** The longest such wait. */
  longestRetryMs: number
  /** One command or upload. */
  commandMs: number
}

export const DEPLOY_TIMES: DeployTimes = {
  pollMs: 1_000,
  lookMs: 5_000,
  leaseMs: 20_000,
  connectMs: 120_000,
  silenceMs: 1_800_000,
  firstRetryMs: 1_000,
  longestRetryMs: 30_000,
  commandMs: 30_000
}
