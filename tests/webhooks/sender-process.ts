// A whole service without channels, to be killed while it delivers. Configured by the environment like the real one.
import { loadConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { openService } from '../../src/service.ts'

const service = await openService(loadConfig(process.env), createLog('error'))
service.start('https://mindgate.example')
// The workers' own timers don't keep a process alive: a service's channel does.
setInterval(() => undefined, 1_000)
