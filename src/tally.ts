// What this process has done since it started, counted for the metrics, which read it when they are asked for.

/** Each with what it tells, and its labels. Those have few values: no path, and nobody's name. */
export const TALLIES = {
  mindgate_work_ended_total: ['Work in the background, by its outcome.', 'work', 'outcome'],
  mindgate_request_errors_total: ['What was refused or failed.', 'channel', 'operation', 'code'],
  mindgate_credits_taken_total: ['Credits taken, those for answers that then failed too.', 'account'],
  mindgate_database_waits_total: ['Waits for a turn to write, or for a connection, that have ended.'],
  mindgate_database_wait_seconds_total: ['How long those took.']
} as const
export type Tally = keyof typeof TALLIES
type LabelsOf<Name extends Tally> = (typeof TALLIES)[Name] extends readonly [string, ...infer Labels]
  ? { [At in keyof Labels]: string }
  : never

const counts = new Map<string, { name: Tally; labels: string[]; count: number }>()

/** Counts one more, or `by` more, of those labels. */
export function tally<Name extends Tally>(name: Name, labels: LabelsOf<Name>, by = 1): void {
  const key = `${name} ${labels.join(' ')}`
  const counted = counts.get(key) ?? { name, labels, count: 0 }
  counted.count += by
  counts.set(key, counted)
}

// An alert on the first one needs a 0 before it.
tally('mindgate_work_ended_total', ['mail', 'given_up'], 0)
tally('mindgate_work_ended_total', ['deploy', 'failed'], 0)

/** Everything that was counted. */
export const tallies = () => counts.values()
