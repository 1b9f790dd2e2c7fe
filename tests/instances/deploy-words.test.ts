// What is kept and shown of a deploy: logs without what opens a channel, steps in order, and whose lease has ended.
import { describe, expect, it } from 'vitest'
import { DEPLOY_STEPS, type DeployStatus } from '../../src/catalog/deploy.ts'
import {
  lineOf,
  longerLog,
  plainText,
  stepsAt,
  stepsBefore,
  stepsFailed,
  stepsOf
} from '../../src/instances/deploy/progress.ts'

describe('a log', () => {
  it('is plain text: no colours, no bars drawn over, nothing that a database refuses', () => {
    const written = '\u001b[32mok\u001b[0m\r\n 10 %\r 20 %\r100 %\nnul \0 half \ud800 bell \u0007 tab\t.'
    expect(plainText(written)).toBe('ok\n100 %\nnul  half \ufffd bell  tab\t.')
  })

  it('shows no key, token or bot token, even cut in two by where one reading ended', () => {
    const key = `sk-${'a1B2'.repeat(10)}`
    expect(longerLog(`before ${key.slice(0, 6)}`, `${key.slice(6)} after`)).not.toContain('a1B2a1B2')
    expect(plainText(`mct_${'x'.repeat(40)} 123456789:${'A'.repeat(35)}`)).not.toMatch(/xxxx|AAAA/)
  })

  it('keeps its end, in whole lines', () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n}`).join('\n')
    const kept = longerLog('', lines)
    expect(kept.length).toBeLessThanOrEqual(65_536)
    expect(kept).toMatch(/^line \d+\n/)
    expect(kept.endsWith('line 19999')).toBe(true)
  })

  it('gives one line for a sentence', () => {
    expect(lineOf(Buffer.from('\n  \nmkdir: no\nmore\n'))).toBe('mkdir: no')
    expect(lineOf(Buffer.from(''))).toBe('')
    expect(lineOf(Buffer.from('x'.repeat(1_000)))).toHaveLength(300)
  })
})

const status = (steps: DeployStatus['steps']): DeployStatus => ({
  state: 'running',
  steps,
  log: '',
  logOffset: 0
})

describe('the steps', () => {
  it('are the service’s own and then the script’s', () => {
    const ids = stepsBefore('install').map(({ id }) => id)
    expect(ids).toEqual(['connect', 'key', 'upload', ...DEPLOY_STEPS.map(({ id }) => id)])
    expect(stepsAt('key', 'install').map(({ state }) => state)).toEqual([
      'done',
      'running',
      ...Array(ids.length - 2).fill('pending')
    ])
  })

  it('take over what the script says', () => {
    const told = stepsOf(status([{ id: 'install', state: 'warned', detail: 'slow' }]), 'install')
    expect(told.find(({ id }) => id === 'install')).toMatchObject({ state: 'warned', detail: 'slow' })
    expect(told.find(({ id }) => id === 'upload')?.state).toBe('done')
    expect(told.at(-1)?.state).toBe('pending')
  })

  it('say which one failed: the one under way, else the next', () => {
    const failing = (steps: ReturnType<typeof stepsBefore>) =>
      stepsFailed(steps, 'why').find(({ state }) => state === 'failed')
    expect(failing(stepsAt('upload', 'install'))).toMatchObject({ id: 'upload', detail: 'why' })
    expect(failing(stepsAt('done', 'install'))).toMatchObject({ id: 'install', detail: 'why' })
    const told = stepsOf(status([{ id: 'smoke', state: 'failed', detail: 'no answer' }]), 'install')
    expect(failing(told)).toMatchObject({ id: 'smoke', detail: 'no answer' })
  })
})
