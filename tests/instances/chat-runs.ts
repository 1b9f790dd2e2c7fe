// Messages on one instance, one after the other, and when the agent was at work on each.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { replyOf } from './chat-client.ts'
import type { Sandbox } from './chat-fixture.ts'

export interface Run {
  event: string
  atMs: number
  message: string
}

/** Sends them in this order, none waiting for the one before, to an agent that takes so long for each. */
export async function runsOf(sandbox: Sandbox, messages: readonly string[], seconds: number): Promise<Run[]> {
  const log = join(sandbox.home, 'runs')
  sandbox.replaceAgent(
    [
      `for argument; do case $argument in --query=*) query=\${argument#--query=} ;; esac; done`,
      `query=\${query%%"\n\n[Files "*}`,
      `echo "begin $(date +%s%N) $query" >>'${log}'`,
      `sleep ${seconds}`,
      `echo "end $(date +%s%N) $query" >>'${log}'`,
      'echo "answer to $query"'
    ].join('\n')
  )
  const answers = []
  for (const message of messages) {
    answers.push(sandbox.chat.send(message))
    await expect.poll(() => newestMessage(sandbox), { timeout: 60_000 }).toBe(message)
  }
  const replies = (await Promise.all(answers)).map((answer) => replyOf(answer).reply)
  expect(replies).toEqual(messages.map((message) => `answer to ${message}`))
  return readFileSync(log, 'utf8').trim().split('\n').map(toRun)
}

const newestMessage = async ({ chat }: Sandbox): Promise<string | undefined> =>
  (await chat.history()).exchanges.at(-1)?.message

function toRun(line: string): Run {
  const [, event = '', at = '', message = ''] = /^(\w+) (\d+) (.*)$/.exec(line) ?? []
  return { event, atMs: Number(BigInt(at) / 1_000_000n), message }
}
