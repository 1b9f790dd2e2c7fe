// Profile and snapshot as people read them, whatever an engine or a memory makes them say.
import { describe, expect, it } from 'vitest'
import { RecalledSections, sectionsOf } from '../../servers/portal/belongings/recalled-text.tsx'
import { textOf } from './customer-visitors.ts'

const render = async (text: string): Promise<string> =>
  String(await RecalledSections({ sections: sectionsOf(text) }))

describe('a profile', () => {
  it('is facts below whom they are about, without the ids of their memories', async () => {
    const profile = [
      'About the customer:',
      'Place: Lisbon (2026-05-03, mem_abc)',
      'Prefers: calls after 6 pm (not before) (2026-05-02, mem_def)',
      'About Dana Reyes:',
      'Role: CFO at Northwind (2026-05-01, mem_ghi)',
      '…'
    ].join('\n')
    expect(sectionsOf(profile)).toEqual([
      {
        heading: 'About the customer',
        facts: [
          { label: 'Place', text: 'Lisbon', day: '2026-05-03' },
          { label: 'Prefers', text: 'calls after 6 pm (not before)', day: '2026-05-02' }
        ]
      },
      {
        heading: 'About Dana Reyes',
        facts: [
          { label: 'Role', text: 'CFO at Northwind', day: '2026-05-01' },
          { label: undefined, text: '…', day: undefined }
        ]
      }
    ])
    const text = textOf(await render(profile))
    expect(text).toBe(
      'About the customer Place Lisbon 3 May 2026 Prefers calls after 6 pm (not before) 2 May 2026 About Dana Reyes Role CFO at Northwind 1 May 2026 …'
    )
  })

  it('can’t be given a heading by what a memory says', () => {
    const [section, ...others] = sectionsOf(
      'About the customer:\nPlace: About Mallory: (2026-05-03, mem_abc)\nGoal: x: (2026-05-03, mem_abc)'
    )
    expect(others).toEqual([])
    expect(section?.facts.map(({ text }) => text)).toEqual(['About Mallory:', 'x:'])
  })

  it('stays text where it holds markup', async () => {
    const markup = '<img src=x onerror=alert(1)>'
    const html = await render(
      `About ${markup}:\nPlace: ${markup} (2026-05-03, mem_abc)\n2026-05-03 ${markup} (mem_abc)\n${markup}`
    )
    expect(html).not.toContain('<img')
    expect(html.match(/&lt;img/g)).toHaveLength(4)
  })

  it('is shown as it is where it has no such form', async () => {
    const prose = 'Ada is an engineer who lives in Lisbon.\nShe likes tea.'
    expect(textOf(await render(prose))).toBe('Ada is an engineer who lives in Lisbon. She likes tea.')
  })
})

describe('a snapshot', () => {
  it('is what happened beside its day', async () => {
    const snapshot = [
      'Changed in the last 30 days:',
      '2026-05-03 Dana Reyes, Place: Lisbon, before: Porto (mem_abc)',
      'Told last:',
      '2026-05-04 Ada: I like (iced) tea. (mem_def)'
    ].join('\n')
    expect(textOf(await render(snapshot))).toBe(
      'Changed in the last 30 days 3 May 2026 Dana Reyes, Place: Lisbon, before: Porto Told last 4 May 2026 Ada: I like (iced) tea.'
    )
  })

  it('of a day that no calendar has is shown all the same', async () => {
    expect(textOf(await render('2026-13-99 Ada: tea (mem_abc)'))).toContain('Ada: tea')
  })
})
