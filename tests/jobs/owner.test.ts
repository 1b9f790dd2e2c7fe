import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { describe, expect, it, vi } from 'vitest'
import { hasEnded, newOwner } from '../../src/jobs/owner.ts'

describe('the owner of a lease', () => {
  it('has ended when its process is gone, and not while it runs', () => {
    const mine = newOwner()
    const [place] = mine.split('/')
    const gone = execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).trim()
    expect(hasEnded(mine)).toBe(false)
    expect(hasEnded(`${place}/${gone}/run_x`)).toBe(place !== '')
  })

  it('of another machine, or another container of this one, is left to its lease', () => {
    const [place] = newOwner().split('/')
    expect(hasEnded(`${place}9/999999999/run_x`)).toBe(false)
    expect(hasEnded('/999999999/run_x')).toBe(false)
    expect(hasEnded('')).toBe(false)
  })

  it('has ended when another process has got its number', () => {
    const [place] = newOwner().split('/')
    expect(hasEnded(`${place}/${process.pid}.1/run_x`)).toBe(place !== '')
    // As earlier releases wrote it.
    expect(hasEnded(`${place}/${process.pid}/run_x`)).toBe(false)
  })

  it.skipIf(process.platform !== 'linux')('has ended although its parent has not noticed', async () => {
    const [place] = newOwner().split('/')
    // It turns into a program that never asks for its children.
    const parent = spawn('sh', ['-c', 'exec 3<&0; { read line; } <&3 & echo $!; exec sleep 600'], {
      stdio: ['pipe', 'pipe', 'ignore']
    })
    const [pid] = await once(createInterface({ input: parent.stdout }), 'line')
    const stat = (of: unknown) => readFileSync(`/proc/${of}/stat`, 'utf8')
    await vi.waitFor(() => expect(stat(parent.pid)).toContain('(sleep)'), 20_000)
    expect(hasEnded(`${place}/${pid}/run_x`)).toBe(false)
    parent.stdin.end()
    await vi.waitFor(() => expect(stat(pid)).toContain(') Z '), 20_000)
    expect(hasEnded(`${place}/${pid}/run_x`)).toBe(true)
    parent.kill('SIGKILL')
  })

  it('is another one each time', () => {
    expect(newOwner()).not.toBe(newOwner())
  })
})
