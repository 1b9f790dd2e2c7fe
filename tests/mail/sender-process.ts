// A process of its own that sends the mails of a database, to be killed. Configured by the environment like the
// service; LEASE_MS shortens the lease, DIE_AT names a step of the file outbox at which it kills itself.
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { createOutbox } from '../../src/mail/outbox.ts'
import { openService } from '../../src/service.ts'

const die = () => process.kill(process.pid, 'SIGKILL')

/** `before link` or `after link`: the process ends around the first call of that function of node:fs/promises. */
function dieAt(step: string): void {
  const [moment, name = ''] = step.split(' ')
  const real: unknown = Reflect.get(fs, name)
  if (typeof real !== 'function') throw new Error(`node:fs/promises has no ${name}`)
  Reflect.set(fs, name, async (...given: unknown[]) => {
    if (moment === 'before') die()
    const answer: unknown = await Reflect.apply(real, fs, given)
    if (moment === 'after') die()
    return answer
  })
  syncBuiltinESMExports()
}

if (process.env.DIE_AT) dieAt(process.env.DIE_AT)
const service = await openService(loadConfig(process.env), createLog('info'))
const outbox = createOutbox(service, { leaseMs: Number(process.env.LEASE_MS), pollMs: 50 })
outbox.start('https://mindgate.example')
// The worker's own timers don't keep a process alive: a service's channel does.
setInterval(() => undefined, 1_000)
