// A tool call without any SDK between: what HTTP itself answers to a token.

import { z } from 'zod'

export interface BareAnswer {
  status: number
  /** What the refusal calls itself, wherever it stands; `undefined` where the tool answered. */
  code: unknown
  /** The header WWW-Authenticate. */
  challenge: string
  text: string
}

interface BareCall {
  token?: string | undefined
  tool?: string
  input?: Record<string, unknown>
  headers?: Record<string, string>
  fetch?: typeof globalThis.fetch
}

/** `address` is the whole of the gateway's. */
export async function bareCall(
  address: string,
  { token, tool = 'internal_memory_recall', input = {}, headers = {}, fetch = globalThis.fetch }: BareCall
): Promise<BareAnswer> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: input }
    })
  })
  const text = await answer.text()
  const { error, result } = JSON.parse(text)
  return {
    status: answer.status,
    // A tool that refuses begins with the status and the code.
    code: error?.data?.code ?? (result?.isError ? result.content[0].text.split(/[ :]/)[1] : undefined),
    challenge: answer.headers.get('www-authenticate') ?? '',
    text
  }
}

/** A body of JSON that is an object. */
export const fieldsOf = async (answer: Response): Promise<Record<string, unknown>> =>
  Fields.parse(await answer.json())

const Fields = z.record(z.string(), z.unknown())
