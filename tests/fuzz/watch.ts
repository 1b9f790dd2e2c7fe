// What must never be seen: secrets in any log line or answer, and anything of another partner's in an answer.
import { expect } from 'vitest'

/** Everything that a log line may carry. A new field is added here on purpose, or not at all. */
const LOG_FIELDS = [
  'level',
  'time',
  'msg',
  'requestId',
  'method',
  'route',
  'status',
  'durationMs',
  'channel',
  'operation',
  'code',
  'partnerId',
  'keyId',
  'mailId',
  'template',
  'instanceId',
  'reason',
  'words',
  'attempts',
  'url',
  'database',
  'signal',
  'count',
  'error'
]

export interface Watch {
  /** Judges one answer, and the log lines that were written since the last one. */
  see(answer: string): void
  /** Judges everything seen and logged so far by secrets that came to be meanwhile. */
  reviewFor(secrets: readonly string[]): void
}

export function createWatch({
  logs,
  secrets,
  foreignTexts
}: {
  logs: readonly string[]
  secrets: readonly string[]
  foreignTexts: readonly string[]
}): Watch {
  const answers: string[] = []
  let judgedLines = 0
  return {
    see(answer) {
      answers.push(answer)
      expectNoneOf(secrets, answer, 'a secret in an answer')
      expectNoneOf(foreignTexts, answer, 'another partner’s text in an answer')
      for (const line of logs.slice(judgedLines)) {
        expectWellFormedLine(line)
        expectNoneOf(secrets, line, 'a secret in the log')
      }
      judgedLines = logs.length
    },
    reviewFor(newSecrets) {
      const everything = [...answers, ...logs].join('\n')
      expectNoneOf(newSecrets, everything, 'a mailed secret in answers or log')
    }
  }
}

function expectNoneOf(texts: readonly string[], where: string, what: string): void {
  const found = texts.find((text) => where.includes(text))
  expect(found, what).toBeUndefined()
}

function expectWellFormedLine(line: string): void {
  const fields = Object.keys(JSON.parse(line))
  expect(
    fields.filter((field) => !LOG_FIELDS.includes(field)),
    'unknown fields in a log line'
  ).toEqual([])
  expect(line.trimEnd(), 'one line').not.toContain('\n')
}
