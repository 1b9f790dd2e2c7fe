// Whether who holds a lease is known to be gone: after a crash the next one needn't wait until the lease ends.
import { readFileSync, readlinkSync } from 'node:fs'
import { newId } from '../ids.ts'

export const newOwner = (): string => `${PLACE}/${process.pid}.${START}/${newId('run')}`

/** Whether the owner was a process of this very machine, since its last start, that has ended. */
export function hasEnded(owner: string): boolean {
  const [place, process = ''] = owner.split('/')
  const [pid, start] = process.split('.')
  return place !== '' && place === PLACE && !isAlive(Number(pid), start)
}

/** Where a process id means the same process; '' where that can't be told. */
const PLACE = placeOfProcesses()
const START = statOf(process.pid)?.start ?? ''

/** Owns what needs no owner of its own. */
export const THIS_PROCESS = newOwner()

function placeOfProcesses(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // Two containers on one machine both have a process 1.
    return `${boot}:${/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]}`
  } catch {
    return ''
  }
}

/** @param start tells it from another process that got its number; '' where it isn't known */
function isAlive(pid: number, start = ''): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
  }
  const stat = statOf(pid)
  return !stat || (stat.state !== 'Z' && (start === '' || stat.start === start))
}

/** `start` is in ticks since the machine's own; `Z` is a state of who has ended and waits for its parent to notice. */
function statOf(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name stands in brackets before it, and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0], start: fields[19] }
  } catch {
    return undefined
  }
}
