// Who holds a lease, and whether that process is known to be gone: after a crash the next one needn't wait for the end
// of a lease that nobody will renew.
import { readFileSync, readlinkSync } from 'node:fs'
import { newId } from '../ids.ts'

/** A new owner of leases in this process. */
export const newOwner = (): string => `${PLACE}/${process.pid}/${newId('run')}`

/** Whether the owner was a process of this very machine, since its last start, that has ended. */
export function hasEnded(owner: string): boolean {
  const [place, pid] = owner.split('/')
  return place !== '' && place === PLACE && !isAlive(Number(pid))
}

/** Where a process id means the same process; '' where that can't be told. */
const PLACE = placeOfProcesses()

function placeOfProcesses(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // Two containers on one machine both have a process 1.
    return `${boot}:${/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]}`
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
