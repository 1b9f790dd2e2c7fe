// What the README says of the service is so; readme.long.test.ts pastes it into a shell.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeVariables } from '../../src/config.ts'
import { environmentAt, mindgate } from '../support/cli.ts'
import { makeEmptyPlace } from '../support/databases.ts'

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

describe('the README', () => {
  it('lists every environment variable with its default', () => {
    const rows = describeVariables().map(
      ({ name, fallback, description }) =>
        `| \`${name}\` | ${fallback && `\`${fallback}\``} | ${description} |`
    )
    const table = readme.slice(readme.indexOf('| Variable |')).split('\n\n')[0]?.split('\n').slice(2)
    expect(table).toEqual(rows)
  })

  it('links to files that are there', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path = '']) => path)
    expect(links.length).toBeGreaterThan(0)
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('names commands of the operator that work as they stand', async () => {
    const place = await makeEmptyPlace('sqlite')
    const [, block = ''] = /^```sh\n(npx mindgate partner create .*?)^```$/ms.exec(readme) ?? []
    const answers: string[] = []
    for (const line of block.trim().split('\n')) {
      const [, , ...args] = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([word, quoted]) => quoted ?? word)
      const { code, stdout } = await mindgate(environmentAt(place), args)
      expect([line, code]).toEqual([line, 0])
      answers.push(stdout)
    }
    await place.remove()
    expect(answers.join()).toContain('pkt_')
  })
})
