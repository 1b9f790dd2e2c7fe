import { Command } from '@commander-js/extra-typings'
import { diagnose } from '../../src/doctor/diagnose.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import { FAILED } from './failure.ts'
import { print, styled } from './output.ts'
import type { Terminal } from './terminal.ts'

export const doctorCommand = (terminal: Terminal) =>
  new Command('doctor')
    .description('check the configuration and everything that it reaches')
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      '\nLike every command it brings the tables of the database up to date. Exit code 1 if anything fails; warnings are 0.\n\nExample:\n  $ mindgate doctor'
    )
    .action(async ({ json }) => {
      const findings = await diagnose(terminal.env)
      const isHealthy = findings.every(({ state }) => state !== 'fail')
      print(terminal, { json }, { healthy: isHealthy, findings }, () => report(findings))
      if (!isHealthy) terminal.exitCode = FAILED
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
