/** Absolute paths on the server, made of characters that need no quoting. */
export interface AppPaths {
  /** Written last by a deploy (§4C); while it is absent the agent isn't ready. Holds the id of that deploy. */
  marker: string
  stateDir: string
  /** Held while the agent answers, so that runs of one instance never overlap. */
  lock: string
  /** HOME of the agent; '' is the signed-in user's own. */
  home: string
  /** One folder below it per deploy: scripts, states, log. */
  deployDir: string
  backupDir: string
}

/**
 * With a root everything is below it, so that several sandboxes can share one machine.
 * @param root '' for the specification's paths (§4C), or an absolute folder of safe characters
 */
export function appPaths(root: string): AppPaths {
  const stateDir = `${root}/var/lib/cli-agent`
  return {
    marker: `${stateDir}/catalog-deploy-complete`,
    stateDir,
    lock: `${stateDir}/chat.lock`,
    home: root === '' ? '' : `${root}/home`,
    deployDir: `${stateDir}/deploys`,
    backupDir: `${stateDir}/backups`
  }
}

/** The release that deploys are made with, by its tag: v0.15.1. */
const RELEASE = 'v2026.5.29'

/**
 * The agent's own installer, and with it the agent, both of one release. It asks nothing, and leaves out the browser
 * with its hundreds of megabytes.
 */
export const DEFAULT_INSTALL = [
  'cd "$(mktemp -d)"',
  `curl -fsSLO https://raw.githubusercontent.com/NousResearch/hermes-agent/${RELEASE}/scripts/install.sh`,
  `bash install.sh --branch ${RELEASE} --skip-setup --skip-browser`
].join(' && ')
