// Loaded before a process whose clock goes by its own: at SIGUSR2 it moves by as many milliseconds as CLOCK_FILE says.
import { readFileSync } from 'node:fs'
import { moveClock } from '../support/moved-clock.ts'

const clock = moveClock(Date.now())
process.on('SIGUSR2', () => {
  clock.set(clock.now() + Number(readFileSync(process.env.CLOCK_FILE ?? '', 'utf8')))
})
