// How the well-known clients are told of the gateway, each in the form that its own documentation gives (2026).
import { say } from '../../../src/language/say.ts'

export const TOKEN_PLACEHOLDER = 'YOUR_TOKEN'

/** The command with which Claude Code gets to know the server at that address. */
export const claudeCode = (server: string, url: string, token: string): string =>
  `claude mcp add --transport http ${server} ${url} --header "Authorization: Bearer ${token}"`

/** Each with where it goes, and what its code is, for a heading. */
export function clientSnippets(url: string, token = TOKEN_PLACEHOLDER) {
  const header = `Authorization: Bearer ${token}`
  return [
    {
      client: 'Claude Code',
      how: say(
        'Run this in a terminal. It counts for the folder that you are in; add “--scope user” after “add” for all of them.'
      ),
      label: say('Command for Claude Code'),
      code: claudeCode('memory', url, token)
    },
    {
      client: 'Cursor',
      how: say(
        'Put this into ~/.cursor/mcp.json, which counts for all your projects and is in none of them.'
      ),
      label: '~/.cursor/mcp.json',
      code: json({ mcpServers: { memory: { url, headers: { Authorization: `Bearer ${token}` } } } })
    },
    {
      client: 'VS Code',
      how: say('Put this into .vscode/mcp.json. It asks for the token once and keeps it out of the file.'),
      label: '.vscode/mcp.json',
      code: json({
        inputs: [
          { type: 'promptString', id: 'memory-token', description: 'Token of the memory', password: true }
        ],
        servers: {
          memory: { type: 'http', url, headers: { Authorization: `Bearer \${input:memory-token}` } }
        }
      })
    },
    {
      client: 'n8n',
      how: say(
        'Add the node “MCP Client Tool” to an AI agent, with a new credential of the type Bearer Auth.'
      ),
      label: say('Fields of the node'),
      code: [
        `Endpoint: ${url}`,
        'Server Transport: HTTP Streamable',
        'Authentication: Bearer Auth',
        `Bearer Token: ${token}`
      ].join('\n')
    },
    {
      client: 'MCP Inspector',
      how: say('Run this in a terminal with Node.js 22.19 or newer; it lists the tools.'),
      label: say('Command for the MCP Inspector'),
      code: `npx @modelcontextprotocol/inspector --cli ${url} --transport http --header "${header}" --method tools/list`
    },
    {
      client: say('curl and other programs'),
      how: say('Every tool can also be called by plain HTTP, with its parameters as JSON.'),
      label: say('Command for curl'),
      code: [
        `curl -sS ${url}/tools/internal_memory_recall \\`,
        `  -H "${header}" -H "Content-Type: application/json" \\`,
        `  -d '{}'`
      ].join('\n')
    }
  ]
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)
