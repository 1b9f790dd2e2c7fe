import { Option } from '@commander-js/extra-typings'
import type { z } from 'zod'
import type { Call } from '../../schemas/usage.ts'
import { PROVIDERS } from '../../schemas/voice-agent.ts'
import { getUsageSync, syncUsage } from '../../src/calls/operations.ts'
import { csvRow } from '../../src/csv.ts'
import { openSecrets } from '../../src/sealing.ts'
import { exportCalls } from '../../src/usage/operations.ts'
import { commandGroup, commandOfPartner } from './command.ts'
import { writeText } from './files.ts'
import { withProgress } from './progress.ts'

const exportCommand = commandOfPartner('export', {
  about: 'write a partner’s calls as CSV, in the order in which they ended',
  note: 'Cost is in US dollars. Days are of the partner’s time zone.',
  example: 'mindgate usage export --partner acme-voice --from 2026-01-01 --to 2026-01-31 --file january.csv',
  options: (bare) =>
    bare
      .option('--customer <id>', 'id or short code of its customer; every call when left out')
      .option('--from <day>', 'first day, or the instant from which on they ended')
      .option('--to <day>', 'last day, or the instant before which they ended')
      .option('--file <file>', 'where to write; standard output when left out'),
  hasJson: false,
  async run({ terminal, operate }, { customer: customerId, from, to, file }) {
    const pageAt = (cursor?: string) => operate(exportCalls, { customerId, from, to, cursor })
    const first = await pageAt()
    await withProgress(terminal, 'Writing calls', first.total ?? 0, (onProgress) => {
      const lines = async function* () {
        yield csvRow(COLUMNS)
        let done = 0
        for (let page = first; ; page = await pageAt(page.nextCursor ?? undefined)) {
          for (const call of page.calls) yield rowOf(call)
          done += page.calls.length
          onProgress(done)
          if (page.nextCursor === null) return
        }
      }
      return writeText(lines(), file, terminal)
    })
  }
})

const ID = ['id', 'customerId', 'provider', 'agentId', 'agentName'] as const
const TIMES = ['startedAt', 'endedAt', 'durationSeconds', 'outcome'] as const
const COLUMNS = [...ID, ...TIMES, 'cost', 'multiplier', 'charge', 'currency', 'recordingUrl'] as const

function rowOf({ agent, ...call }: z.output<typeof Call>): string {
  const cells = { ...call, agentId: agent?.id, agentName: agent?.name }
  return csvRow(COLUMNS.map((column) => cells[column]))
}

const syncCommand = commandOfPartner('sync', {
  about: 'read the partner’s calls from its voice-agent providers now, to the end',
  note: 'It works with and without a running service; while another process reads the same calls, it says so.',
  example: 'mindgate usage sync --partner acme-voice',
  options: (bare) =>
    bare.addOption(new Option('--provider <provider>', 'only those of a or b').choices(PROVIDERS)),
  async run({ terminal, config, database, operate, partner: { slug }, print }, { provider: only }) {
    const parts = { secrets: await openSecrets(config, database) }
    const { data } = await operate(getUsageSync)
    const read: { provider: string; calls: number }[] = []
    for (const provider of only ? [only] : data.map((sync) => sync.provider)) {
      const { calls } = await withProgress(terminal, 'Reading calls', undefined, (onProgress) =>
        operate(syncUsage, { provider }, { parts, onProgress })
      )
      read.push({ provider, calls })
    }
    const lines = read.map(
      ({ provider, calls }) => `Provider ${provider.toUpperCase()}: ${calls} calls read.`
    )
    const none = `No key is set. \`mindgate provider set --partner ${slug} --provider a\` sets one.`
    print({ data: read }, () => lines.join('\n') || none)
  }
})

export const usageCommand = commandGroup('usage', 'read calls, and take out what they cost and are charged', [
  syncCommand,
  exportCommand
])
