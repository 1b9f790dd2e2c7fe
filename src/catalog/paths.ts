import type { AppId } from '../../schemas/app.ts'
import { APPS } from './apps.ts'

export type AppPaths = ReturnType<typeof appPaths>

/**
 * An app's place on a server: absolute paths, made of characters that need no quoting. A server has one place for whichever
 * app (§4C: its marker), so that what another instance left there is met. With a root everything is below it, so that several
 * sandboxes can share one machine.
 * @param root '' for the specification's paths (§4C), or an absolute folder of safe characters
 */
export function appPaths(root: string, app: AppId = 'cli-agent') {
  const stateDir = `${root}/var/lib/cli-agent`
  return {
    app: APPS[app],
    /** Written last by a deploy (§4C); while it is absent the agent isn't ready. Holds the id of that deploy. */
    marker: `${stateDir}/catalog-deploy-complete`,
    stateDir,
    /** Held while the agent answers, so that runs of one instance never overlap. */
    lock: `${stateDir}/chat.lock`,
    /** One folder for each of the last messages: what the agent wrote, and how it ended. */
    runDir: `${stateDir}/runs`,
    /** What the agent calls each conversation, and the persona that it was last told. Outlives reinstalls. */
    threadDir: `${stateDir}/threads`,
    /** A folder for each file that came with a message. */
    filesInDir: `${stateDir}/files/in`,
    /** A folder for each run, of what it left for the person. */
    filesOutDir: `${stateDir}/files/out`,
    /** There where an init runs that can have a service for this agent alone. */
    init: `${root}/run/systemd/system`,
    /** HOME of the agent; '' is the signed-in user's own. */
    home: root === '' ? '' : `${root}/home`,
    /** One folder below it per deploy: scripts, states, log. */
    deployDir: `${stateDir}/deploys`,
    backupDir: `${stateDir}/backups`
  }
}
