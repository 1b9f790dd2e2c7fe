// `npm ci` refuses a lock that knows one platform's packages only, and every other machine than the author's with it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const root = join(import.meta.dirname, '../..')
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional()
    })
  )
})

describe('the lock', () => {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))

  it('holds the packages of every platform', () => {
    const locked = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')))
    const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies)
    )
    expect(wanted.length).toBeGreaterThan(0)
    expect(wanted.filter((name) => !locked.has(name))).toEqual([])
  })

  it('pins every package by its content and none to one registry', () => {
    // Our own client is a folder of this repository, and a link to it.
    const foreign = Object.entries(packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && !link
    )
    expect(foreign.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([])
    expect(foreign.filter(([, { resolved }]) => resolved).map(([path]) => path)).toEqual([])
  })
})
