// A command: asks the model what must happen, does it for real, and compares.
import fc from 'fast-check'
import { expect } from 'vitest'
import { type ErrorCode, statusOf } from '../../../src/errors.ts'
import { CHANNELS, type ChannelName, type OperationCall, type Outcome } from './channels.ts'
import { findCustomer, type PartnerModel } from './partner-model.ts'

export type Fields = Record<string, unknown>

/** What a partner can point at beside its customers. */
export interface Plans {
  subscription: string
  credit: string
}

export interface Real {
  call(asked: OperationCall): Promise<Outcome>
  plans: Plans
  /** The other partner's fixture, as it is at the moment: none of it may be reached. */
  rival: { model: PartnerModel; plans: Plans }
  /** Notes what happened, so that a run that tests nothing shows. */
  note(happened: string): void
}

/** One operation with its rules. */
export interface Step {
  operation: string
  /** Whether there is anything in the model to do it to. */
  isPossible?(model: PartnerModel): boolean
  inputFor(model: PartnerModel, real: Real): Fields
  /** Why the service must refuse it, if it must. */
  refusalOf(model: PartnerModel, input: Fields, real: Real): ErrorCode | undefined
  /** Compares the answer with the model, and moves the model on. */
  accept(model: PartnerModel, input: Fields, output: Fields, real: Real): void | Promise<void>
}

export type Command = fc.AsyncCommand<PartnerModel, Real>

/** The step over any channel; with `takesKey` now and then under one of a few Idempotency-Keys. */
export const commandsOf = (steps: fc.Arbitrary<Step>, takesKey = false): fc.Arbitrary<Command> =>
  fc
    .record({
      step: steps,
      channel: fc.constantFrom(...CHANNELS),
      idempotencyKey: takesKey
        ? fc.option(fc.constantFrom('key-1', 'key-2'), { nil: undefined, freq: 2 })
        : fc.constant(undefined)
    })
    .map(({ step, channel, idempotencyKey }) => commandOf(step, channel, idempotencyKey))

function commandOf(step: Step, channel: ChannelName, idempotencyKey: string | undefined): Command {
  const { operation } = step
  let shown = ''
  return {
    check: (model) => step.isPossible?.(model) ?? true,
    async run(model, real) {
      const input = step.inputFor(model, real)
      shown = JSON.stringify(input)
      const outcome = await real.call({ channel, operation, input, idempotencyKey })
      const earlier = idempotencyKey ? model.kept.get(`${operation} ${idempotencyKey}`) : undefined
      if (earlier?.input === shown) {
        expect(outcome).toMatchObject({ status: 200, output: earlier.output, isReplay: true })
        return real.note('replay')
      }
      const refusal = earlier ? 'idempotency_conflict' : step.refusalOf(model, input, real)
      real.note(refusal ?? operation)
      if (findCustomer(real.rival.model, input.customerId)) real.note('a stranger’s customer')
      if (refusal) {
        expect([outcome.status, outcome.code]).toEqual([statusOf(refusal), refusal])
        return
      }
      expect([outcome.status, outcome.code, outcome.isReplay]).toEqual([200, undefined, false])
      await step.accept(model, input, outcome.output, real)
      if (idempotencyKey)
        model.kept.set(`${operation} ${idempotencyKey}`, { input: shown, output: outcome.output })
    },
    toString: () =>
      `${operation}(${shown}) over ${channel}${idempotencyKey ? ` under ${idempotencyKey}` : ''}`
  }
}

/** Sends one of the requests again that had an Idempotency-Key: the answer is the first one, and nothing happens. */
export const repeats: fc.Arbitrary<Command> = fc
  .tuple(fc.nat({ max: 100 }), fc.constantFrom(...CHANNELS))
  .map(([pick, channel]) => ({
    check: ({ kept }) => kept.size > 0,
    async run({ kept }, real) {
      const [name = '', { input, output }] = [...kept][pick % kept.size] ?? ['', { input: '{}', output: {} }]
      const [operation = '', idempotencyKey] = name.split(' ')
      const outcome = await real.call({ channel, operation, input: JSON.parse(input), idempotencyKey })
      expect(outcome).toEqual({ status: 200, code: undefined, output, isReplay: true })
      real.note('replay')
    },
    toString: () => `repeat ${pick} over ${channel}`
  }))
