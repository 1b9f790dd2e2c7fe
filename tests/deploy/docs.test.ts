// docs/operating.md leads from nothing to the first customer by few lines, and tells of every file of the kit.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { kit, root } from './support/kit.ts'

const text = readFileSync(join(root, 'docs/operating.md'), 'utf8')
const [, section = ''] = /^## Deploy kit$(.*?)^## /ms.exec(text) ?? []

describe('the way to the first customer', () => {
  it.each(['With Docker', 'With systemd'])('takes ten lines at most %s', (way) => {
    const [, block = ''] = new RegExp(`\\*\\*${way}\\*\\*.*?\`\`\`sh\\n(.*?)\`\`\``, 's').exec(section) ?? []
    const lines = block
      .trim()
      .replaceAll(/(\\|\|)\n/g, ' ')
      .split('\n')
    expect(lines.length).toBeLessThanOrEqual(10)
    expect(lines.at(-1)).toMatch(/^curl .*\/customers\/onboard/)
  })
})

it('tells of every file of the kit, by its name', () => {
  expect(readdirSync(kit).filter((file) => !section.includes(file))).toEqual([])
})
