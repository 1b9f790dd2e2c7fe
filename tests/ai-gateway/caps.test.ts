// What one call may cost at most, and what goes on of an agent's request because of it.
import { describe, expect, it } from 'vitest'
import { type Completion, readCompletion } from '../../src/ai-gateway/embedded/completion.ts'
import { say } from './agents.ts'

const LIMIT = { tokens: 1_000, field: 'max_completion_tokens' }
const PICTURE_TOKENS = 10_000

const read = (more: Record<string, unknown>, limit = LIMIT) => {
  const bytes = Buffer.from(JSON.stringify({ model: 'auto', messages: say('Hello'), ...more }))
  return readCompletion({ bytes, models: ['small'], limit })
}
const taken = (more: Record<string, unknown> = {}, limit = LIMIT): Completion & { sent: object } => {
  const completion = read(more, limit)
  if ('fault' in completion) throw new Error(completion.fault.text)
  return { ...completion, sent: JSON.parse(new TextDecoder().decode(completion.body)) }
}
const promptOf = (more: Record<string, unknown>) => {
  const { mostTokens, body } = taken(more)
  return { tokens: mostTokens - LIMIT.tokens, bytes: body.byteLength }
}

describe('the length of an answer', () => {
  it.each([
    ['nothing', {}, { max_completion_tokens: 1_000 }],
    ['null', { max_tokens: null }, { max_completion_tokens: 1_000 }],
    ['less', { max_tokens: 10 }, { max_completion_tokens: 10 }],
    ['more', { max_completion_tokens: 1_001 }, { max_completion_tokens: 1_000 }],
    ['both', { max_tokens: 1e9, max_completion_tokens: 5 }, { max_completion_tokens: 5 }]
  ])('is within the operator’s where the agent asks for %s', (_, asked, limits) => {
    expect(taken(asked).sent).toEqual({ model: 'small', messages: say('Hello'), ...limits })
  })

  it('is told as the provider calls it', () => {
    // A provider ignores a name that it doesn't know.
    for (const asked of [{}, { max_completion_tokens: 9 }, { max_tokens: 9 }])
      expect(taken(asked, { tokens: 7, field: 'max_tokens' }).sent).toEqual({
        model: 'small',
        messages: say('Hello'),
        max_tokens: 7
      })
  })
})

describe('what a call may use', () => {
  it('is a token for each byte of the prompt, and all that its answers may be', () => {
    const { mostTokens, body } = taken({
      n: 3,
      max_tokens: 50,
      prediction: { type: 'content', content: 'x' }
    })
    expect(mostTokens).toBe(body.byteLength + 3 * 50)
  })

  it('is the same for a picture wherever it lies, and doesn’t count text that looks like one', () => {
    const pictures = (...urls: string[]) => [
      { role: 'user', content: urls.map((url) => ({ type: 'image_url', image_url: { url } })) }
    ]
    const inline = `data:image/png;base64,${'A'.repeat(100_000)}`
    const address = 'https://example.com/a.png'
    const near = promptOf({ messages: pictures(inline, inline) })
    expect(near.tokens).toBe(near.bytes - 2 * inline.length + 2 * PICTURE_TOKENS)
    const far = promptOf({ messages: pictures(address) })
    expect(far.tokens).toBe(far.bytes + PICTURE_TOKENS)
    const file = promptOf({ messages: pictures(inline.replace('image/png', 'text/plain')) })
    expect(file.tokens).toBe(file.bytes + PICTURE_TOKENS)
    const text = promptOf({ messages: say(inline) })
    expect(text.tokens).toBe(text.bytes)
    const parameters = { properties: { image_url: { url: inline } } }
    const tool = promptOf({ tools: [{ type: 'function', function: { name: 'f', parameters } }] })
    expect(tool.tokens).toBe(tool.bytes)
    const call = { role: 'assistant', content: null, tool_calls: [{ function: { arguments: parameters } }] }
    const called = promptOf({ messages: [call] })
    expect(called.tokens).toBe(called.bytes)
  })
})

describe('a request that would cost too much', () => {
  it.each([
    ['n', { n: 5 }, 'n must be at most 4'],
    ['n', { n: 128 }, 'n must be at most 4'],
    ['n', { n: 0 }, 'n must be at least 1'],
    ['n', { n: '2' }, 'n must be a number'],
    ['max_tokens', { max_tokens: -1 }, 'max_tokens must be at least 1'],
    ['max_completion_tokens', { max_completion_tokens: 1.5 }, 'must be an integer'],
    ['tools.1.type', { tools: [{ type: 'function' }, { type: 'web_search' }] }, 'function, custom'],
    ['tools.0.type', { tools: [{ googleSearch: {} }] }, 'function, custom'],
    [
      'messages.0.content',
      { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }] },
      'messages.0.content'
    ],
    [
      'messages.0.content',
      { messages: [{ role: 'user', content: [{ type: 'video_url', video_url: { url: 'https://x' } }] }] },
      'messages.0.content'
    ]
  ])('is refused, naming %s: %o', (param, asked, words) => {
    const fault = { status: 400, code: 'invalid_request', param, text: expect.stringContaining(words) }
    expect(read(asked)).toMatchObject({ fault })
  })

  it('passes on nothing that multiplies it', () => {
    const dear = { best_of: 20, web_search_options: {}, plugins: [], service_tier: 'priority', store: true }
    expect(Object.keys(taken(dear).sent).sort()).toEqual(['max_completion_tokens', 'messages', 'model'])
  })
})
