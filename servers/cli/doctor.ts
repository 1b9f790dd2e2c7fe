import { diagnose } from '../../src/doctor/diagnose.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import { command } from './command.ts'
import { FAILED } from './failure.ts'
import { styled } from './output.ts'

export const doctorCommand = command('doctor', {
  about: 'check the configuration and everything that it reaches',
  note: 'Like every command it brings the tables of the database up to date. Exit code 1 if anything fails; warnings are 0.',
  example: 'mindgate doctor',
  async run({ terminal, print }) {
    const findings = await diagnose(terminal.env)
    const isHealthy = findings.every(({ state }) => state !== 'fail')
    print({ healthy: isHealthy, findings }, () => report(findings))
    if (!isHealthy) terminal.exitCode = FAILED
  }
})

const MARKS = {
  ok: styled('green', 'ok  '),
  warn: styled('yellow', 'warn'),
  fail: styled('red', 'fail')
}

function report(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const indent = ' '.repeat('ok    '.length + width + 2)
  return findings
    .map(({ check, state, message, remedy }) =>
      [`${MARKS[state]}  ${check.padEnd(width)}  ${message}`, ...(remedy ? [indent + remedy] : [])].join('\n')
    )
    .join('\n')
}
