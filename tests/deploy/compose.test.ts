// The compose files, held against what they name: this service's variables, the kit's files, the image's user. No engine is
// needed; where Docker's own parser is there, it reads them, too.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { describeVariables } from '../../src/config.ts'
import { kit, kitFile } from './support/kit.ts'

const Service = z.object({
  image: z.string(),
  build: z
    .object({
      context: z.string().optional(),
      dockerfile: z.string().optional(),
      dockerfile_inline: z.string().optional()
    })
    .optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.union([z.string(), z.array(z.string())]).optional(),
  user: z.string().optional(),
  read_only: z.boolean().default(false),
  security_opt: z.array(z.string()).default([]),
  stop_grace_period: z.string().optional(),
  restart: z.string()
})
const Compose = z.object({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.null())
})

/** What must be written to keep something, by what the image is called. */
const KEEPS: [image: RegExp, folder: string][] = [
  [/^mindgate:/, '/data'],
  [/^litestream\//, '/data'],
  [/^caddy:/, '/data'],
  [/^postgres:/, '/var/lib/postgresql/data'],
  [/^mindgate-pgbouncer:/, '/tmp']
]

const FILES = ['compose.sqlite.yml', 'compose.postgres.yml']
const given = (text: string, wanted: RegExp) => [...text.matchAll(wanted)].map(([, name = '']) => name)
const examples = kitFile('.env.example')
const exampleNames = given(examples, /^([A-Z_]+)=/gm)

describe.each(FILES)('%s', (file) => {
  const text = kitFile(file)
  const { services, volumes } = Compose.parse(parse(text, { merge: true }))
  const each = Object.entries(services)
  const own = each.filter(([, { image }]) => image.startsWith('mindgate:'))

  it('gives the service variables that it knows', () => {
    const known = describeVariables().map(({ name }) => name)
    expect(own.length).toBeGreaterThan(0)
    for (const [, { environment }] of own)
      expect(known).toEqual(expect.arrayContaining(Object.keys(environment)))
  })

  it('asks for what .env.example tells of, and starts nothing where it is empty', () => {
    const variables = new Map(
      [...text.matchAll(/(?<!\$)\$\{([A-Z_]+)(:\?|:-)?\}/g)].map(([, name = '', kind]) => [name, kind])
    )
    // A wish, and no setting that one could forget.
    expect(variables.get('CADDY_GLOBAL_OPTIONS')).toBe(':-')
    variables.delete('CADDY_GLOBAL_OPTIONS')
    for (const [name, kind] of variables) expect([name, kind]).toEqual([name, ':?'])
    expect(exampleNames).toEqual(expect.arrayContaining([...variables.keys()]))
  })

  it('holds no secret', () => {
    for (const [, { environment }] of each)
      for (const [name, value] of Object.entries(environment))
        if (/KEY|PASSWORD|SECRET|TOKEN|_URL$/.test(name)) expect(String(value)).toMatch(/\$\{[A-Z_]+:\?\}/)
  })

  it('names images with a version', () => {
    for (const [, { image }] of each) expect(image).toMatch(/^[a-z/-]+:(\d|trixie)/)
  })

  it('mounts files that are there, and volumes that it declares', () => {
    const used = new Set<string>()
    for (const [, { volumes: mounts }] of each)
      for (const [source = '', , mode] of mounts.map((mount) => mount.split(':'))) {
        if (!source.startsWith('./')) used.add(source)
        else expect([source, existsSync(join(kit, source)), mode]).toEqual([source, true, 'ro'])
      }
    expect([...used].sort()).toEqual(Object.keys(volumes).sort())
  })

  it.each(each)('keeps what %s writes, and lets it write nothing else', (_, service) => {
    const [, folder] = KEEPS.find(([image]) => image.test(service.image)) ?? []
    const places = [service.volumes.map((mount) => mount.split(':')[1]), [service.tmpfs ?? []].flat()].flat()
    expect(places.some((path) => path?.split(':')[0] === folder)).toBe(true)
    expect(service.security_opt).toEqual(['no-new-privileges:true'])
    expect(service.restart).toBe('unless-stopped')
    // PostgreSQL's image makes its folder its own at the start.
    if (!service.image.startsWith('postgres:')) expect(service.read_only).toBe(true)
  })

  it.each(own)(
    'gives %s the time to end in order, behind one proxy',
    (_, { stop_grace_period, environment, build }) => {
      expect(stop_grace_period).toBe('70s')
      expect(environment.TRUST_PROXY).toBe(1)
      expect(existsSync(join(kit, build?.context ?? '', build?.dockerfile ?? ''))).toBe(true)
    }
  )

  it.runIf(spawnSync('docker', ['compose', 'version']).status === 0)('is what Docker takes', () => {
    const env = { ...process.env, ...Object.fromEntries(exampleNames.map((name) => [name, 'x'])) }
    execFileSync('docker', ['compose', '-f', join(kit, file), 'config', '--quiet'], { env, stdio: 'pipe' })
  })
})

describe('.env.example', () => {
  it('has no secret, so that nothing works by a default', () => {
    const filled = given(examples, /^([A-Z_]+)=.+$/gm)
    expect(filled).toEqual(['PUBLIC_URL', 'MAIL_FROM'])
  })
})

it('lets nobody but the owner’s group run what PostgreSQL’s image runs', () => {
  expect(statSync(join(kit, 'postgres-init.sh')).mode & 0o111).toBe(0o111)
})
