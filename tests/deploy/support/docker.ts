// What the tests with an engine share: whether there is one, the sources as a new user has them, and the lines of the docs.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './kit.ts'

/** Images that are made for the first time are loaded, installed and compiled. */
export const FIRST_BUILD_MS = 900_000

/** A build tells of every package. */
export const MUCH_OUTPUT = { maxBuffer: 64 * 2 ** 20 }

const works = (args: readonly string[]) => spawnSync('docker', args).status === 0

export const isDockerThere = works(['compose', 'version']) && works(['info'])

export const operating = readFileSync(join(root, 'docs/operating.md'), 'utf8')

/**
 * The lines of the docs among which one says that, as they are typed.
 * @throws Error unless it is one block's
 */
export function linesWith(text: string): string {
  const blocks = [...operating.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  const [found, ...more] = blocks.filter((block) => block.includes(text))
  if (found === undefined || more.length > 0) throw new Error(`not one block says ${text}`)
  return found
}

/** All but the call at the end of such lines, and the call with that key. */
export function withCall(lines: string): { before: string; call: (key: string) => string } {
  const at = lines.indexOf('curl ')
  return { before: lines.slice(0, at), call: (key) => lines.slice(at).replace('pkt_…', key) }
}

/** Makes a folder of what the repository has. */
export function copySources(target: string): void {
  mkdirSync(target)
  const listed = 'git ls-files -z --cached --others --exclude-standard'
  execFileSync('bash', ['-c', `${listed} | tar --null -T - -c | tar -x -C "${target}"`], { cwd: root })
}
