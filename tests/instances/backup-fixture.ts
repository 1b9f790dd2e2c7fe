// Backups of agents over REST, and archives to restore them from.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { type ChatFixture, type Sandbox, startChatFixture } from './chat-fixture.ts'

export const hermes = ({ home }: Sandbox, ...path: string[]) => join(home, '.hermes', ...path)
export const put = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
export const namesIn = (archive: Buffer) =>
  execFileSync('tar', ['-tzf', '-'], { input: archive }).toString().trim().split('\n')

export async function startBackupFixture(env: Record<string, string> = {}) {
  const fixture: ChatFixture = await startChatFixture('sqlite', env)
  const scratch = mkdtempSync(join(tmpdir(), 'mindgate-backup-'))
  const asked = ({ instance }: Sandbox, init: RequestInit = {}, key = fixture.server.partner.key) =>
    fetch(`${fixture.server.url}/api/v1/mcp/instances/${instance.id}/cli-agent/backup`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...init.headers }
    })
  return {
    ...fixture,
    scratch,
    asked,
    async backedUp(box: Sandbox) {
      const answer = await asked(box)
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(bytes.length)])
      return bytes
    },
    async restored(box: Sandbox, body: Buffer) {
      const answer = await asked(box, { method: 'PUT', body: new Uint8Array(body) })
      return { status: answer.status, body: Object(await answer.json()) }
    },
    /** Packed from what `fill` puts into a folder. */
    packed(fill: (folder: string) => void, ...options: string[]): Buffer {
      const folder = mkdtempSync(join(scratch, 'pack-'))
      fill(folder)
      return execFileSync('tar', ['-czf', '-', '-C', folder, ...(options.length > 0 ? options : ['.'])])
    },
    async close() {
      await fixture.close()
      rmSync(scratch, { recursive: true, force: true })
    }
  }
}
