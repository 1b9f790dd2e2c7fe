// The Dockerfile is only read here: what it copies is there, and what comes out runs as nobody in particular.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestServer } from '../support/http.ts'
import { kitFile, root } from './support/kit.ts'

const text = kitFile('Dockerfile').replaceAll('\\\n', ' ')
const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
const stages = lines.reduce<string[][]>((found, line) => {
  if (line.startsWith('FROM ')) found.push([])
  found.at(-1)?.push(line)
  return found
}, [])
const [build = [], run = []] = stages
const valuesOf = (stage: string[], instruction: string) =>
  stage.filter((line) => line.startsWith(`${instruction} `)).map((line) => line.slice(instruction.length + 1))

describe('the Dockerfile', () => {
  it('builds with compilers, and runs on the same base without', () => {
    expect(stages).toHaveLength(2)
    expect(build[0]).toBe('FROM node:22-bookworm-slim AS build')
    expect(run[0]).toBe('FROM node:22-bookworm-slim')
    expect(run.join('\n')).not.toMatch(/apt-get|g\+\+|npm (ci|install)/)
  })

  it('copies what is there, what the builder is handed, and what is built', () => {
    const sources = valuesOf(build, 'COPY').flatMap((copied) => copied.split(' ').slice(0, -1))
    const handed = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
    for (const source of sources)
      expect([source, existsSync(join(root, source)), handed.includes(`!${source}`)]).toEqual([
        source,
        true,
        true
      ])
    const made = valuesOf(run, 'COPY').map((copied) => copied.split(' ').slice(0, 2))
    for (const [from, path] of made)
      expect([from, path]).toEqual(['--from=build', expect.stringMatching(/^\/build\//)])
  })

  it('runs as a user who is known by number, keeps its data in a volume, and says how it is', () => {
    expect(valuesOf(run, 'USER')).toEqual(['1000:1000'])
    expect(valuesOf(run, 'VOLUME')).toEqual(['/data'])
    expect(valuesOf(run, 'ENV').join()).toContain('DATA_DIR=/data')
    expect(valuesOf(run, 'ENTRYPOINT')).toEqual(['["mindgate"]'])
  })

  it('tells of its health by a command that runs', async () => {
    const [, json = ''] = /CMD (\[.*\])/.exec(valuesOf(run, 'HEALTHCHECK').join()) ?? []
    const [, ...args] = z.array(z.string()).parse(JSON.parse(json))
    const check = (port: string) => promisify(execFile)(process.execPath, args, { env: { PORT: port } })
    const server = await startTestServer('sqlite')
    await check(new URL(server.url).port)
    await server.close()
    await expect(check(new URL(server.url).port)).rejects.toMatchObject({ code: 1 })
  })
})
