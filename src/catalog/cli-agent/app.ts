// Hermes: an agent with the whole of its server for a tool (§4C, §9).
import type { App } from '../app.ts'

export const cliAgent: App = {
  id: 'cli-agent',
  title: 'Hermes',
  about: 'works on its server by itself',
  program: 'hermes',
  homeFolder: '.hermes',
  homeVariable: 'HERMES_HOME',
  // The first that reads its key from the configuration file.
  leastVersion: '0.15.1',
  hasHands: true
}

/** The release that deploys are made with unless another is asked for, by its tag: v0.15.1. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's, on the server
const RELEASE = '${AGENT_RELEASE:-v2026.5.29}'

/** The agent and its own installer, both of one release. It asks nothing, and leaves out a browser of some 100 MB. */
export const DEFAULT_INSTALL = [
  'cd "$(mktemp -d)"',
  `curl -fsSLO "https://raw.githubusercontent.com/NousResearch/hermes-agent/${RELEASE}/scripts/install.sh"`,
  `bash install.sh --branch "${RELEASE}" --skip-setup --skip-browser`
].join(' && ')
