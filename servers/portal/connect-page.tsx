// What a person sees who opens an MCP gateway's address in a browser: that it is for agents, and how to connect one.
import type { Context } from 'hono'
import type { RequestEnv } from '../middleware/request-env.ts'
import { page } from './answer.tsx'
import { CONSOLE_LOOK } from './frames.tsx'
import { Snippet } from './ui/copy.tsx'
import { EntryFrame } from './ui/frame.tsx'

interface Address {
  url: string
  /** Of the OpenAPI document. */
  documentUrl: string
  /** What the client calls the server. */
  name: string
  credential: { name: string; example: string }
}

export function answerConnectPage(
  c: Context<RequestEnv>,
  { url, documentUrl, name, credential }: Address
): Promise<Response> {
  const headers = { Authorization: `Bearer ${credential.example}` }
  const configuration = { mcpServers: { [name]: { type: 'http', url, headers } } }
  const content = (
    <EntryFrame look={CONSOLE_LOOK} title="Connect an agent">
      <p>
        This address is for AI agents. Assistants such as Claude and ChatGPT take it as it is and have you
        sign in. Other clients that speak MCP over HTTP take it with {credential.name} in the{' '}
        <code>Authorization</code> header:
      </p>
      <Snippet label="Client configuration" code={JSON.stringify(configuration, null, 2)} />
      <p>
        Workflows that speak plain HTTP find the same tools in <a href={documentUrl}>openapi.json</a>.
      </p>
    </EntryFrame>
  )
  return page(c, content)
}
