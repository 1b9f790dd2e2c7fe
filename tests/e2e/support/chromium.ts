// Debian's Chromium for the browser tests; as root it is installed where it is missing.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const MACS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
]

const HOW_TO = `The browser tests need Chromium. Install it (Debian: apt-get install chromium; macOS: brew install --cask chromium),
or point CHROMIUM at the program.`

/**
 * Where Chromium is.
 *
 * @throws Error that says how to get it
 */
export function chromiumPath(): string {
  const found = findChromium()
  if (!found) throw new Error(HOW_TO)
  return found
}

/** Before all tests: where nothing can be installed, only the browser tests fail, and say why. */
export function setup(): void {
  if (findChromium() || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  execFileSync('apt-get', ['update', '-q'], options)
  execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], options)
}

function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(':').filter(Boolean)
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...MACS]
  return [process.env.CHROMIUM ?? '', ...candidates].find((path) => path !== '' && existsSync(path))
}
