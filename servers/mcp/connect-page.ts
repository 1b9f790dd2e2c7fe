// What a person sees who opens a gateway's address in a browser: that it is for agents, and how to connect one.
import { html } from 'hono/html'
import type { Gateway } from './served.ts'

/** The page, without anything that has to be loaded. */
export const connectPage = ({ serverInfo, credential }: Gateway, url: string) => html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${serverInfo.title}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 10vh auto; padding: 0 1rem }
pre { padding: 1rem; overflow-x: auto; border: 1px solid #8886; border-radius: 8px }
:root { color-scheme: light dark }
</style>
<h1>${serverInfo.title}</h1>
<p>This address is for AI agents. Give it to a client that speaks MCP over HTTP, with ${credential.name} in the
<code>Authorization</code> header:</p>
<pre>${JSON.stringify({ mcpServers: { [serverInfo.name]: { type: 'http', url, headers: { Authorization: `Bearer ${credential.example}` } } } }, null, 2)}</pre>
<p>Workflows that speak plain HTTP find the same tools in <a href="${base(url)}/openapi.json">openapi.json</a>.</p>
</html>`

const base = (url: string): string => url.replace(/(\/x\/[^/]*)?(\/readonly)?\/?(\?.*)?$/, '')
