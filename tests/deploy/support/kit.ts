import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

export const root = join(import.meta.dirname, '../../..')
export const kit = join(root, 'deploy')
export const kitFile = (name: string): string => readFileSync(join(kit, name), 'utf8')

export const manifest = z
  .object({
    version: z.string(),
    private: z.boolean(),
    dependencies: z.record(z.string(), z.string())
  })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))

export function makeFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'mindgate-kit-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
