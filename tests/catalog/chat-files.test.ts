// What the agent leaves for the person, as the scripts find it and as what they tell is read.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readChatOutcome } from '../../src/catalog/chat.ts'
import { cleanFileName } from '../../src/instances/chat/file-name.ts'
import { box, follow, inSandboxes, newest, say, sayWithFiles } from './chatting.ts'

inSandboxes()

const folder = () => join(box.paths.filesOutDir, newest().run)

describe('a file for the person', () => {
  it('is told before the reply is, however often one asks', async () => {
    const files = [{ direction: 'out', id: '1', name: 'report.txt', size: 27 }]
    expect(await sayWithFiles('writes a file')).toMatchObject({ state: 'answered', files })
    expect(await follow()).toMatchObject({ files })
    expect(readFileSync(join(folder(), '.sent/1'), 'utf8')).toBe('A report on: writes a file\n')
  })

  it('is no link, no folder, not too large, and its name ends no line', async () => {
    const reply = { state: 'answered', reply: 'You said: writes a bad file\n\nTurn 1.' }
    expect(await sayWithFiles('writes a bad file')).toMatchObject({
      ...reply,
      files: [{ id: '1', name: 'evil_.txt__ended 0_file 1 x____b_.html', size: 25 }]
    })
    expect(readdirSync(join(folder(), '.sent'))).toEqual(['1'])
  })

  it('is no device that nobody ever wrote to', async () => {
    const agent = join(box.paths.home, '.local/bin/hermes')
    box.write(agent, `#!/bin/sh\nmkfifo '${box.paths.filesOutDir}'/*/pipe\necho done\n`, 0o755)
    expect(await sayWithFiles('hello')).toEqual(expect.not.objectContaining({ files: expect.anything() }))
  })

  it('has a folder that goes where nothing was left, and is the agent’s user’s alone', async () => {
    await sayWithFiles('hello')
    expect(existsSync(folder())).toBe(false)
    await sayWithFiles('writes a file')
    expect(execFileSync('stat', ['-c', '%a', folder()], { encoding: 'utf8' }).trim()).toBe('700')
  })

  it('of an earlier run goes after twenty, and nothing beside them', async () => {
    for (let i = 0; i < 25; i += 1) mkdirSync(join(box.paths.filesOutDir, `chx_0-${i}`), { recursive: true })
    mkdirSync(join(box.paths.filesOutDir, 'my threads'))
    mkdirSync(join(box.paths.home, 'threads'))
    await sayWithFiles('writes a file')
    await expect.poll(() => readdirSync(box.paths.filesOutDir).length).toBe(21)
    expect(existsSync(folder())).toBe(true)
    expect(existsSync(join(box.paths.home, 'threads'))).toBe(true)
    expect(await say('hello')).toMatchObject({ state: 'answered' })
  })
})

describe('what a server tells of files', () => {
  const read = (stderr: string) =>
    readChatOutcome({ exitCode: 0, stdout: Buffer.from('Hi'), stderr: Buffer.from(stderr) }, 'auto')
  const files = (stderr: string) => Object(read(`${stderr}ended 0\n`)).files

  it('is believed within bounds only', () => {
    expect(files('tool terminal\nfile 5 a.txt\ntool x\nfile 6 b.txt\n')).toMatchObject([
      { id: '1', name: 'a.txt', size: 5 },
      { id: '2', name: 'b.txt', size: 6 }
    ])
    expect(files('file 5 a.txt\n'.repeat(80_000))).toHaveLength(10)
    for (const line of [
      'file -1 a',
      'file 1e3 a',
      'file 25000001 a',
      'file 999999999999 a',
      'file 5 ',
      `file 5 ${'x'.repeat(2_000)}`
    ])
      expect(files(`${line}\n`)).toBeUndefined()
    expect(Object(read(`ended 0\nfile 5 a.txt\n`)).files).toBeUndefined()
  })

  it.each([
    ['..', '_.'],
    ['/etc/passwd', 'passwd'],
    ['a"\r\nX: 1;.txt', 'a___X_ 1_.txt'],
    ['\ufffd\ufffd', '__'],
    ['   ', 'file'],
    ['.', '_'],
    [`${'.'.repeat(300)}`, `_${'.'.repeat(99)}`]
  ])('has names made harmless: %j', (given, name) => {
    expect(cleanFileName(given)).toBe(name)
  })
})
