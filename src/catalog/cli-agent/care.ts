// Looking after an agent: the scripts that ask its server, and what their answers mean.
import type { AppPaths } from './paths.ts'
import { assignments, environment, script } from './shell.ts'

/** The exit code where another instance's agent lies at that place by now. */
export const OTHERS = 75

const caring = (paths: AppPaths, instance: string): string =>
  assignments({ instance }) + environment(paths) + script('care')

const MOST_LOG_BYTES = 65_536

/** The last lines of what the agent logs itself. Read them with `readLogs`. */
export const logsScript = (paths: AppPaths, instance: string, lines: number): string =>
  assignments({ lines: String(lines), bytes: String(MOST_LOG_BYTES) }) +
  caring(paths, instance) +
  script('logs')

/** Without what the limit cut in two: half a secret can't be told from a word. */
export function readLogs(stdout: Uint8Array): string {
  const log = new TextDecoder().decode(stdout)
  return stdout.length > MOST_LOG_BYTES ? log.replace(/^[^\n]*\n|^\S*/, '') : log
}
