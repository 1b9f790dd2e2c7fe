// Debian's Chromium for the browser tests; as root it is installed where it is missing.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The same browser without windows, which a page costs a quarter of the processor time in. */
const HEADLESS = 'chromium-headless-shell'
const NAMES = [HEADLESS, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const MACS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
]

const HOW_TO = `The browser tests need Chromium. Install it (Debian: apt-get install chromium-headless-shell; macOS: brew install --cask chromium),
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
  if (findChromium([HEADLESS]) || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  const install = (name: string) =>
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], options)
  try {
    execFileSync('apt-get', ['update', '-q'], options)
    install(HEADLESS)
  } catch {
    // Not every Debian has it, and not every machine a way to get it.
    if (findChromium()) return
    install('chromium')
  }
}

function findChromium(names = NAMES): string | undefined {
  const folders = (process.env.PATH ?? '').split(':').filter(Boolean)
  const candidates = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...MACS]
  return [process.env.CHROMIUM ?? '', ...candidates].find((path) => path !== '' && existsSync(path))
}
