// What deploy/ gives for Prometheus and Grafana: it is right by Prometheus' own checker, and asks for what there is.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeFixture } from '../support/fixture.ts'
import { startTestServer } from '../support/http.ts'
import { promtool } from './promtool.ts'
import { METRICS_TOKEN, scrape } from './scrape.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const RULES = read('deploy/prometheus/alerts.yml')
const Dashboard = z.object({
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      targets: z.array(z.object({ expr: z.string() })).optional()
    })
  )
})
const { panels } = Dashboard.parse(JSON.parse(read('deploy/grafana/mindgate.json')))
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
/** As Grafana fills them in. */
const filledIn = queries.map((expr) =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'mindgate')
)

describe('the alert rules', () => {
  it('are right to promtool, each with what sets it off and what does not', () => {
    expect(promtool('check', 'rules', join(root, 'deploy/prometheus/alerts.yml'))).toContain('SUCCESS')
    expect(promtool('test', 'rules', join(root, 'deploy/prometheus/alerts.test.yml'))).toContain('SUCCESS')
    const tested = read('deploy/prometheus/alerts.test.yml')
    for (const [, name] of RULES.matchAll(/alert: (\w+)/g))
      expect(tested.split(`alertname="${name}"`), name).toHaveLength(3)
  })

  it('each say how long, how bad, what is up, and which section says what to do', () => {
    const operating = read('docs/operating.md')
    const anchors = [...operating.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-')
    )
    const rules = RULES.split('- alert:').slice(1)
    expect(rules.length).toBeGreaterThan(10)
    for (const rule of rules) {
      expect(rule).toMatch(/\n +for: \d+[mh]\n +labels: \{ severity: (?:warning|critical) \}\n/)
      expect(rule).toMatch(/\n +summary: .{20,}\n/)
      expect(anchors).toContain(/runbook: docs\/operating\.md#(\S+)/.exec(rule)?.[1])
    }
  })
})

describe('the dashboard', () => {
  it('has a query in each of its panels, and Prometheus takes all of them', () => {
    for (const { title, targets } of panels.filter((panel) => 'targets' in panel))
      expect(targets, title).not.toEqual([])
    const folder = mkdtempSync(join(tmpdir(), 'mindgate-rules-'))
    const file = join(folder, 'queries.yml')
    const rules = filledIn.map((expr, at) => `  - { record: 'query:${at}', expr: ${JSON.stringify(expr)} }`)
    writeFileSync(file, `groups:\n- name: dashboard\n  rules:\n${rules.join('\n')}\n`)
    expect(promtool('check', 'rules', file)).toContain(`${queries.length} rules found`)
    rmSync(folder, { recursive: true })
  })
})

describe('what both ask for', () => {
  let text: string

  beforeAll(async () => {
    const server = await startTestServer(
      'sqlite',
      { METRICS_TOKEN },
      { alone: 'each process counts for itself' }
    )
    const { partner } = server
    await makeFixture(server.service, partner.partnerId)
    await server.api('GET', '/customers', { key: partner.key })
    await server.api('GET', '/nowhere', { key: partner.key })
    text = await scrape(server)
    await server.close()
  })

  const asked = [...queries, ...RULES.split('expr:').slice(1)].join('\n')

  it('is there in the metrics of a server that works', () => {
    const names = new Set(asked.match(/\b(?:mindgate|nodejs|process)_\w+/g))
    expect(names.size).toBeGreaterThan(15)
    const told = new Set([...text.matchAll(/^(?:# TYPE )?(\w+)/gm)].map(([, name]) => name))
    expect([...names].filter((name) => !told.has(name))).toEqual([])
  })

  it('has the labels by which it is picked and summed', () => {
    const picked = [...asked.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label]) => label)
    const summed = [...asked.matchAll(/by \(([\w, ]+)\)/g)].flatMap(([, labels = '']) => labels.split(', '))
    const told = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label))
    // Prometheus itself adds these. Memory work and models have had nothing to tell here.
    for (const label of ['job', 'instance', 'direction', 'purpose']) told.add(label)
    expect([...new Set([...picked, ...summed])].filter((label) => !told.has(label))).toEqual([])
  })
})
