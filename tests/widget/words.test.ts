// What the widget says and wears agrees with what it talks about.
import { describe, expect, it } from 'vitest'
import { CHAT_FAILURES, MAX_MESSAGE_BYTES } from '../../schemas/chat.ts'
import { accentOf } from '../../servers/portal/assets/accent.ts'
import { newExchange } from '../../servers/portal/widget/browser/exchanges.ts'
import {
  ChatRefusal,
  roomOf,
  MAX_MESSAGE_BYTES as WIDGET_BYTES
} from '../../servers/portal/widget/browser/protocol.ts'
import { ACCENT } from '../../servers/portal/widget/browser/styles/colours.ts'
import { parseTexts, wordsOf } from '../../servers/portal/widget/browser/texts.ts'
import { problemOf, troubleOf } from '../../servers/portal/widget/browser/trouble.ts'
import { ENGLISH } from '../../servers/portal/widget/english.ts'

// As it stands in front of the script.
globalThis.mindgateChatTexts = ENGLISH

const say = wordsOf(undefined, 'Ada')
const failed = (code: string, hasStarted?: boolean) =>
  troubleOf({ ...newExchange('key', 'hello'), state: 'failed', code, hasStarted }, say)

describe('a failure', () => {
  it.each(CHAT_FAILURES.filter((code) => code !== 'agent_not_ready'))('has its own words: %s', (code) => {
    expect(failed(code)?.title).not.toBe(failed('something new')?.title)
  })

  it.each(['unauthorized', 'forbidden', 'instance_not_found', 'agent_not_ready', 'invalid_input'])(
    'before the agent was asked has its own words: %s',
    (code) => {
      expect(problemOf(new ChatRefusal(code), say).title).not.toBe(
        problemOf(new ChatRefusal('something new'), say).title
      )
    }
  )

  it('offers to try again only where nothing can happen twice unnoticed', () => {
    const retries = (code: string, hasStarted?: boolean) => failed(code, hasStarted)?.offers.includes('retry')
    expect(retries('agent_timeout', true)).toBe(false)
    expect(retries('agent_timeout')).toBe(false)
    expect(retries('agent_timeout', false)).toBe(true)
    expect(retries('ssh_unavailable', true)).toBe(false)
    expect(retries('ssh_unavailable', false)).toBe(true)
    expect(retries('agent_error')).toBe(true)
  })
})

describe('the texts', () => {
  it('can be said in a page’s own words, one by one', () => {
    const own = wordsOf(parseTexts('{"send": "Senden", "agent": "der Agent", "no such text": "x"}'), '')
    expect(own('send')).toBe('Senden')
    expect(own('agent_not_ready.title')).toBe('Der Agent isn’t ready yet')
    expect(own('stop')).toBe(ENGLISH.stop)
  })

  it.each(['', '[', '[1]', '"text"', 'null', '{"send": 5}'])(
    'stay English where a page’s own are broken: %s',
    (json) => {
      expect(wordsOf(parseTexts(json), '')('send')).toBe(ENGLISH.send)
    }
  )

  it('fill in what stands in braces, and leave what nobody knows', () => {
    expect(say('stillWorking', { seconds: 12 })).toBe('Ada is still working · 12 s')
    expect(wordsOf({ send: '{toString} {x}' }, 'Ada')('send')).toBe('{toString} {x}')
  })
})

describe('a message’s size', () => {
  it('is what the route takes', () => {
    expect(WIDGET_BYTES).toBe(MAX_MESSAGE_BYTES)
    expect(roomOf('a'.repeat(MAX_MESSAGE_BYTES))).toEqual({ isOver: false, characters: 0 })
    expect(roomOf('a'.repeat(MAX_MESSAGE_BYTES + 1))).toEqual({ isOver: true, characters: 1 })
    expect(roomOf('a'.repeat(100))).toEqual({ isOver: false, characters: undefined })
    expect(roomOf('é'.repeat(MAX_MESSAGE_BYTES / 2 + 10))).toEqual({ isOver: true, characters: 10 })
  })
})

describe('the colours', () => {
  it.each(['light', 'dark'] as const)('are Mindgate’s own where a page sets none: %s', (scheme) => {
    const rounded = Object.entries(accentOf('#1d4ed8', scheme)).map(([name, [lightness, chroma, hue]]) => [
      name,
      chroma < 0.001
        ? [lightness, 0, 0]
        : [Number(lightness.toFixed(4)), Number(chroma.toFixed(4)), Number(hue.toFixed(2))]
    ])
    expect(Object.fromEntries(rounded)).toEqual(ACCENT[scheme])
  })
})
