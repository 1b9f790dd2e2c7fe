import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { z } from 'zod'
import { jsonIn } from '../json-shape.ts'
import { fitTexts, tokensAtMost } from '../memory/token-budget.ts'
import { type Completion, complete } from './completion.ts'
import { ownFault } from './fault.ts'
import type { LanguageModel, ModelRequest } from './model.ts'
import { type Call, type ModelAccess, openRequests, type Prices } from './requests.ts'

/** Of the tokens that a call may hand over, kept for the answer's shape and for what is wrong with a reply. */
const RESERVED_TOKENS = 1_000

/** At an OpenAI-compatible gateway. @param mostTokens that one call may hand over */
export function createLanguageModel(access: ModelAccess, mostTokens: number, prices: Prices): LanguageModel {
  const { name } = access
  const maxInputTokens = mostTokens - RESERVED_TOKENS
  const request = openRequests(access, prices)

  async function answerTo<T>(call: Call, asked: ModelRequest<T>): Promise<T> {
    const { system, user, answer, maxOutputTokens } = asked
    const schema = shapeOf(answer.schema)
    const wanted = {
      temperature: 0,
      max_tokens: maxOutputTokens,
      stream_options: { include_usage: true },
      response_format: { type: 'json_schema', json_schema: { name: answer.name, strict: true, schema } }
    }
    const messages: ChatCompletionMessageParam[] = [
      {
        role: 'system',
        content: `${system}\n\n${askForShape(answer.name, answer.shape ?? `Its JSON Schema:\n${JSON.stringify(schema)}`)}`
      },
      { role: 'user', content: user }
    ]
    const reply = async () => {
      const inputTokens = tokensOf(messages)
      const completion = await call(
        wanted,
        (client, spoken, signal) =>
          complete(client, { model: name, messages: [...messages] }, spoken, signal),
        // Where what was read is lost, so is what the gateway counted.
        (read) => read?.usage ?? { inputTokens, outputTokens: tokensAtMost(read?.content ?? '') }
      )
      return contentOf(completion)
    }
    const replied = await reply()
    const read = readReply(answer.schema, replied)
    if (read.complaint === undefined) return read.value
    const room = mostTokens - tokensOf(messages) - tokensAtMost(read.complaint)
    const [shown = ''] = fitTexts([replied], Math.max(room, 100))
    messages.push(
      { role: 'assistant', content: shown },
      { role: 'user', content: `That can't be used:\n${read.complaint}\nAnswer again, whole and corrected.` }
    )
    const repaired = readReply(answer.schema, await reply())
    if (repaired.complaint === undefined) return repaired.value
    throw ownFault('malformed')
  }

  return {
    name,
    maxInputTokens,
    async answer(asked) {
      if (tokensAtMost(asked.system) + tokensAtMost(asked.user) > maxInputTokens)
        throw new RangeError(`More than ${maxInputTokens} tokens were to be handed to the language model`)
      return request(asked, (call) => answerTo(call, asked))
    }
  }
}

const tokensOf = (messages: readonly ChatCompletionMessageParam[]): number =>
  messages.reduce((sum, { content }) => sum + (typeof content === 'string' ? tokensAtMost(content) : 0), 0)

function contentOf({ content, finishReason, hasRefused }: Completion): string {
  if (hasRefused || finishReason === 'content_filter') throw ownFault('refused')
  if (finishReason === 'length') throw ownFault('incomplete')
  return content
}

/** Most of what a model is told about a reply that isn't usable, in characters. */
const MAX_COMPLAINT_LENGTH = 1_000

/** Rules for strings and lists that gateways with strict schemas refuse; our own check has them all the same. */
const UNKNOWN = ['$schema', 'minLength', 'maxLength', 'pattern', 'format', 'minItems', 'maxItems', 'default']

/** As strict gateways take it: of every object all keys are there, and no others. */
function shapeOf(schema: z.ZodType): Record<string, unknown> {
  const shape = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      for (const key of UNKNOWN) Reflect.deleteProperty(jsonSchema, key)
      if (jsonSchema.properties === undefined) return
      jsonSchema.required = Object.keys(jsonSchema.properties)
      jsonSchema.additionalProperties = false
    }
  })
  Reflect.deleteProperty(shape, '$schema')
  return { ...shape }
}

const askForShape = (name: string, shape: string): string =>
  `Answer with one JSON object called "${name}", and with nothing before or after it. ${shape}`

function readReply<T>(schema: z.ZodType<T>, reply: string) {
  const json = jsonIn(unwrapped(reply))
  if (json === undefined) return { complaint: 'It is no JSON.' }
  const { success, data: value, error } = schema.safeParse(json)
  return success ? { value } : { complaint: z.prettifyError(error).slice(0, MAX_COMPLAINT_LENGTH) }
}

/** Without what some models put around it: their thinking, and a fence. */
function unwrapped(reply: string): string {
  const text = reply.trim().replace(/^<think>[\s\S]*?<\/think>\s*/, '')
  if (!(text.startsWith(FENCE) && text.endsWith(FENCE))) return text
  // By no single expression: of blanks behind a fence that never ends it would try every part.
  return text.slice(FENCE.length, -FENCE.length).replace(/^json/i, '')
}

const FENCE = '```'
