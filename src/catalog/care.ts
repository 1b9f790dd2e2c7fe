// Looking after an agent: the scripts that ask its server, and what their answers mean.
import { GATEWAYS } from '../../schemas/instance.ts'
import type { Place } from './chat.ts'
import type { AppPaths } from './paths.ts'
import { assignments, environment, script } from './shell.ts'

/** The exit code where another instance's agent lies at that place by now. */
export const OTHERS = 75

/** Whether the server can be asked, and is this instance's. */
export const caring = (paths: AppPaths, place: Place): string =>
  assignments({ instance: place.instance, is_named: place.isNamed ? '1' : '', init: paths.init }) +
  environment(paths) +
  script('gateway', 'care')

/** The same with the means to end runs. */
const stopping = (paths: AppPaths, place: Place): string =>
  `${assignments({ run_dir: paths.runDir })}${caring(paths, place)}${script('owner')}end_run() (\n${script('chat-stop')})\n`

const MOST_LOG_BYTES = 65_536

/** The last lines of what the agent logs itself. Read them with `readLogs`. */
export const logsScript = (paths: AppPaths, place: Place, lines: number): string =>
  assignments({ lines: String(lines), bytes: String(MOST_LOG_BYTES) }) + caring(paths, place) + script('logs')

/** Without what the limit cut in two: half a secret can't be told from a word. */
export function readLogs(stdout: Uint8Array): string {
  const log = new TextDecoder().decode(stdout.subarray(-MOST_LOG_BYTES - 1))
  return stdout.length > MOST_LOG_BYTES ? log.replace(/^[^\n]*\n|^\S*/, '') : log
}

/** How the server and its agent are. Read it with `readHealth`. */
export const healthScript = (paths: AppPaths, place: Place): string => caring(paths, place) + script('health')

/** What a server doesn't tell is null; of what it tells only figures are taken. */
export function readHealth(stdout: Uint8Array) {
  const told = new TextDecoder().decode(stdout)
  const figure = (name: string, times = 1): number | null => {
    const [, digits] = new RegExp(`^${name} (\\d{1,12}(?:\\.\\d{1,3})?)$`, 'm').exec(told) ?? []
    return digits === undefined ? null : Number(digits) * times
  }
  const gateway = figure('gateway')
  return {
    version: /^version .*?v?(\d{1,6}(?:\.\d{1,6}){1,3})/m.exec(told)?.[1] ?? null,
    diskFreeBytes: figure('diskFreeKb', 1_024),
    diskTotalBytes: figure('diskTotalKb', 1_024),
    load: figure('load'),
    memoryFreeBytes: figure('memoryFreeKb', 1_024),
    memoryTotalBytes: figure('memoryTotalKb', 1_024),
    uptimeSeconds: figure('uptimeSeconds'),
    isGatewayRunning: gateway === null ? null : gateway === 1
  }
}

/** Ends every run under way, and starts the agent's gateway anew. Read with `readRestart` what came of it. */
export const restartScript = (paths: AppPaths, place: Place): string =>
  stopping(paths, place) + script('restart')

export function readRestart(stdout: Uint8Array) {
  const [, runs, gateway] = /^runs (\d{1,6})\ngateway (\w+)$/m.exec(new TextDecoder().decode(stdout)) ?? []
  return { endedRuns: Number(runs ?? 0), gateway: GATEWAYS.find((one) => one === gateway) ?? 'none' }
}

/** Takes the agent off the server; `wipe` takes its home, too, and a program of ours. */
export const uninstallScript = (
  paths: AppPaths,
  place: Place,
  { how, customer }: { how: 'keep' | 'wipe'; customer: string }
): string =>
  assignments({ how, customer, is_ours: paths.app.installCommand === undefined ? '' : '1' }) +
  stopping(paths, place) +
  script('uninstall')

/** Packs what another server can go on with into `file`, and tells its size; or puts that in the place of the agent's home. */
export const packScript = (
  paths: AppPaths,
  place: Place,
  { does, ...given }: { does: 'backup' | 'restore'; file: string; most: string; customer: string }
): string => assignments(given) + caring(paths, place) + script(does)

/** @param key a part of our line that no other has */
export const forgetKeyScript = (paths: AppPaths, key: string): string =>
  assignments({ key }) + environment(paths) + script('forget-key')

/** Lets another key in beside the present one. @param key, added the part of each that no other has, as `keyOf` tells it */
export const addKeyScript = (paths: AppPaths, key: string, added: string): string =>
  assignments({ key, added }) + environment(paths) + script('add-key')
