// One chat completion, read as a stream: only so caps and deadlines hold while it comes.
import type OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { z } from 'zod'
import { outage, ownFault } from './fault.ts'

export type Completion = Awaited<ReturnType<typeof complete>>
export type Tokens = z.output<typeof Usage>

export const count = z.number().int().nonnegative().max(100_000_000)
const Usage = z
  .object({ prompt_tokens: count, completion_tokens: count })
  .transform((used) => ({ inputTokens: used.prompt_tokens, outputTokens: used.completion_tokens }))
const Chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish()
      })
    )
    .nullish(),
  usage: Usage.nullish().catch(undefined)
})

/** Characters; no answer that we ask for takes a quarter of it, and to check what is longer would take long, too. */
const MAX_CONTENT = 262_144

/** A model that has written so much, and within so many milliseconds went on, is well, however long it takes. */
const WELL_AFTER = 500
const WELL_WITHIN_MS = 3_000

/** @throws CallFault `incomplete` for a stream that ends before its answer does, `too_large`; what the client throws */
export async function complete(
  client: OpenAI,
  request: { model: string; messages: ChatCompletionMessageParam[] },
  more: Readonly<Record<string, unknown>>,
  signal: AbortSignal
) {
  const stream = await client.chat.completions.create({ ...request, ...more, stream: true }, { signal })
  let content = ''
  let finishReason: string | undefined
  let hasRefused = false
  let usage: Tokens | undefined
  let wroteAt = 0
  for await (const raw of stream) {
    const { success, data } = Chunk.safeParse(raw)
    if (!success) throw outage('failed')
    const [choice] = data.choices ?? []
    const written = choice?.delta?.content ?? ''
    if (written !== '') wroteAt = performance.now()
    content += written
    if (content.length > MAX_CONTENT) throw ownFault('too_large')
    hasRefused ||= Boolean(choice?.delta?.refusal)
    finishReason = choice?.finish_reason ?? finishReason
    usage = data.usage ?? usage
  }
  if (finishReason === undefined) {
    // Anybody can ask for an answer that takes too long: the gateway isn't left alone for that.
    const isWell = content.length >= WELL_AFTER && performance.now() - wroteAt < WELL_WITHIN_MS
    throw signal.aborted && isWell ? ownFault('timeout') : outage('incomplete')
  }
  return { content, finishReason, hasRefused, usage }
}
