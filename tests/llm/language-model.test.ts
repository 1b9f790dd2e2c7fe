import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ModelError } from '../../src/llm/model.ts'
import { createLog } from '../../src/log.ts'
import { LLM_KEY, type LlmStandIn, startLlm } from '../support/ai/llm.ts'
import type { LlmBehaviour } from '../support/ai/llm-faults.ts'
import { processorTime } from '../support/processor-time.ts'
import { modelsAt, NAUTILUS, question } from './models.ts'

let llm: LlmStandIn
beforeEach(async () => {
  llm = await startLlm()
  llm.on('boat', () => NAUTILUS)
})
afterEach(() => llm.close())

const failureOf = async (answering: Promise<unknown>): Promise<ModelError> => {
  const outcome = await answering.catch((error: unknown) => error)
  if (outcome instanceof ModelError) return outcome
  throw new Error('No ModelError', { cause: outcome })
}

const firstRequest = () => {
  const [request] = llm.requests
  if (!request) throw new Error('Nothing was asked')
  return request
}

describe('a language model', () => {
  it('answers in the shape that was asked for, and tells what that took', async () => {
    const { value, usage } = await modelsAt(llm).model.answer(question)
    expect(value).toEqual(NAUTILUS)
    expect(usage).toEqual({
      ...{ purpose: 'ask', calls: 1, inputTokens: 11, outputTokens: 7 },
      costMicros: 11 * 2 + 7 * 10
    })
  })

  it('streams, at temperature 0, and is told the shape in both ways', async () => {
    await modelsAt(llm).model.answer(question)
    const { body, system } = firstRequest()
    expect(body).toMatchObject({
      ...{ model: 'wise-1', stream: true, temperature: 0, max_tokens: 100 },
      response_format: {
        json_schema: { name: 'boat', strict: true, schema: { required: ['name', 'isOld'] } }
      }
    })
    expect(system).toMatch(/^You name boats\.\n\n.*called "boat"/)
    expect(system).toContain('"additionalProperties":false')
    expect(body.response_format).not.toHaveProperty('json_schema.schema.properties.name.minLength')
  })

  it.each([
    '```json\n{"name":"Ida","isOld":false}\n```',
    '<think>{Oak…}</think>\n{"name":"Ida","isOld":false}'
  ])('is understood within what it puts around its answer', async (reply) => {
    llm.on('boat', () => reply)
    expect((await modelsAt(llm).model.answer(question)).value).toEqual({ name: 'Ida', isOld: false })
    expect(llm.requests).toHaveLength(1)
  })

  it('costs no time by a fence that never ends, nor by an answer that is far too long', async () => {
    const worked = processorTime()
    llm.on('boat', () => `\`\`\`${' '.repeat(3_000)}x`)
    expect((await failureOf(modelsAt(llm).model.answer(question))).fault).toBe('malformed')
    llm.on('boat', () => JSON.stringify({ name: 'x'.repeat(300_000), isOld: true }))
    expect((await failureOf(modelsAt(llm).model.answer(question))).fault).toBe('too_large')
    expect(worked()).toBeLessThan(5_000)
  })

  it('gets its reply back once, with what is wrong with it', async () => {
    llm.on('boat', (_, call) => (call === 1 ? { name: 'Nautilus', isOld: 'very' } : NAUTILUS))
    const { value, usage } = await modelsAt(llm).model.answer(question)
    expect(value).toEqual(NAUTILUS)
    expect(usage).toMatchObject({ calls: 2, inputTokens: 22 })
    expect(llm.requests[1]?.user).toMatch(/can't be used:.*isOld/s)
    expect(JSON.stringify(llm.requests[1]?.body)).toContain('very')
  })

  it('is given up after one repair', async () => {
    llm.behave('nonsense')
    const { fault, usage } = await failureOf(modelsAt(llm).model.answer(question))
    expect({ fault, calls: usage.calls }).toEqual({ fault: 'malformed', calls: 2 })
    expect(llm.requests).toHaveLength(2)
  })

  it('is never handed more than it takes', async () => {
    const { model } = modelsAt(llm, { maxInputTokens: 4_000 })
    const user = 'x'.repeat(10_000)
    await expect(model.answer({ ...question, user })).rejects.toThrow(RangeError)
    expect(llm.requests).toEqual([])
  })

  const faults: [LlmBehaviour, string][] = [
    ['silent', 'timeout'],
    ['waits', 'timeout'],
    ['drips', 'timeout'],
    ['cuts-off', 'incomplete'],
    ['ends-early', 'incomplete'],
    ['cut-at-limit', 'incomplete'],
    ['tells-error', 'failed'],
    ['not-json', 'failed'],
    ['refuses-key', 'unauthorized'],
    ['limits', 'limited'],
    ['overloaded', 'failed'],
    ['rejects', 'refused'],
    ['redirects', 'failed'],
    ['hangs-up', 'unreachable'],
    ['too-large', 'too_large']
  ]
  it.each(faults)(
    'that %s fails with %s, soon, and tells nobody what was said',
    async (behaviour, expected) => {
      llm.behave(behaviour)
      const lines: string[] = []
      const log = createLog('debug', (line) => lines.push(line))
      const slow = expected === 'timeout'
      const { model } = modelsAt(llm, {}, log)
      const error = await failureOf(model.answer({ ...question, timeoutMs: slow ? 300 : 20_000 }))
      // Soon: what waited for its deadline would say so; and of itself the stand-in ends none of those that do.
      expect(error.fault).toBe(expected)
      log.error('failed', { error })
      for (const secret of [LLM_KEY, 'oak', 'half', 'rejected']) {
        expect(`${lines.join()} ${String(error.stack)} ${String(error.cause)}`).not.toContain(secret)
      }
    }
  )

  it('that limits us says for how long', async () => {
    llm.behave('limits')
    expect(await failureOf(modelsAt(llm).model.answer(question))).toMatchObject({ retryAfterSeconds: 17 })
  })

  it('that can’t be reached fails', async () => {
    await llm.close()
    const { fault, usage } = await failureOf(modelsAt(llm).model.answer(question))
    expect({ fault, calls: usage.calls }).toEqual({ fault: 'unreachable', calls: 0 })
    llm = await startLlm()
  })

  it('has one deadline for its answer and the repair', async () => {
    llm.on('boat', async (_, call) => {
      if (call === 1) return '{}'
      llm.behave('silent')
      return new Promise(() => {})
    })
    const { fault, usage } = await failureOf(modelsAt(llm).model.answer({ ...question, timeoutMs: 500 }))
    expect({ fault, calls: usage.calls }).toEqual({ fault: 'timeout', calls: 2 })
  })

  it('waits no longer than it is configured to', async () => {
    llm.behave('silent')
    expect(await failureOf(modelsAt(llm, { timeoutMs: 200 }).model.answer(question))).toMatchObject({
      fault: 'timeout'
    })
  })

  it('ends with what its caller aborts it with', async () => {
    llm.behave('silent')
    const leaving = new AbortController()
    const reason = new Error('gone')
    const answering = modelsAt(llm).model.answer({ ...question, signal: leaving.signal })
    await expect.poll(() => llm.requests.length).toBe(1)
    leaving.abort(reason)
    await expect(answering).rejects.toBe(reason)
  })

  it('counts what a gateway doesn’t tell, rather too much than too little', async () => {
    llm.unsupported.add('stream_options')
    const { usage } = await modelsAt(llm).model.answer(question)
    expect(usage.calls).toBe(1)
    expect(usage.inputTokens).toBeGreaterThan(30)
    expect(usage.outputTokens).toBeGreaterThan(JSON.stringify(NAUTILUS).length / 4)
    expect(usage.costMicros).toBeGreaterThan(2 * 30)
  })

  it('counts what a gateway has charged for an answer that never came', async () => {
    llm.behave('cuts-off')
    const { usage } = await failureOf(modelsAt(llm).model.answer(question))
    expect(usage).toMatchObject({ calls: 1, inputTokens: expect.any(Number) })
    expect(usage.costMicros).toBeGreaterThan(0)
  })
})

describe('a gateway that doesn’t take a parameter', () => {
  it.each(['response_format', 'stream_options', 'temperature', 'max_tokens'])(
    'is asked again without %s, and never again with it',
    async (parameter) => {
      llm.unsupported.add(parameter)
      const { model } = modelsAt(llm)
      expect((await model.answer(question)).value).toEqual(NAUTILUS)
      await model.answer(question)
      expect(llm.requests.map(({ body }) => parameter in body)).toEqual([true, false, false])
      expect('max_completion_tokens' in (llm.requests[2]?.body ?? {})).toBe(parameter === 'max_tokens')
    }
  )

  it('is asked without all of them', async () => {
    for (const name of [
      'response_format',
      'stream_options',
      'temperature',
      'max_tokens',
      'max_completion_tokens'
    ])
      llm.unsupported.add(name)
    const { model } = modelsAt(llm)
    expect((await model.answer(question)).value).toEqual(NAUTILUS)
    expect(Object.keys(llm.requests.at(-1)?.body ?? {}).sort()).toEqual(['messages', 'model', 'stream'])
  })

  it('and doesn’t say which is asked once without the shape, as long as it never took it', async () => {
    llm.behave('rejects', 1)
    const { model } = modelsAt(llm)
    expect((await model.answer(question)).value).toEqual(NAUTILUS)
    expect(llm.requests.map(({ body }) => 'response_format' in body)).toEqual([true, false])
  })

  it('but refuses the request itself is believed', async () => {
    const { model } = modelsAt(llm)
    await model.answer(question)
    llm.behave('rejects')
    expect(await failureOf(model.answer(question))).toMatchObject({ fault: 'refused' })
    expect(llm.requests).toHaveLength(2)
  })
})
