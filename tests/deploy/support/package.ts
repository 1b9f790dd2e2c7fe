// The npm package as it is handed out, made of what is built.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { manifest, root } from './kit.ts'

const run = promisify(execFile)

/** The path of the package. The scripts are left out: they would build over the dist that other tests run. */
export async function packInto(folder: string): Promise<string> {
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root })
  return join(folder, `mindgate-${manifest.version}.tgz`)
}
