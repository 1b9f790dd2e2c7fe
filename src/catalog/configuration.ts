// What the agent reads: its configuration (§4C), its persona, and the variables of its Telegram gateway.

export const MCP_NAME = 'mindgate'

type AgentConfiguration = Record<'deployId' | 'baseUrl' | 'apiKey' | 'model', string>

/**
 * `config.yaml`. The key stands here and not in an environment file (§4C). Without the security settings the agent would
 * print notices into its replies and install packages while it answers. Its reviews in the background take the standard
 * output with them while a reply is printed, so they are off. Nobody can answer what it asks in the middle of a run: it
 * goes on without an answer after seconds, not minutes.
 */
export function configYaml(
  { deployId, baseUrl, apiKey, model }: AgentConfiguration,
  mcp?: { url: string; token: string }
): string {
  return `# Written by deploy ${deployId}; the next deploy replaces this file.
model:
  provider: custom
  base_url: ${yamlText(baseUrl)}
  api_key: ${yamlText(apiKey)}
  default: ${yamlText(model)}
security:
  tirith_enabled: false
  allow_lazy_installs: false
memory:
  nudge_interval: 0
skills:
  creation_nudge_interval: 0
approvals:
  timeout: 5
clarify:
  timeout: 5
${mcp ? mcpServers(mcp.url, `Bearer ${mcp.token}`) : ''}`
}

const mcpServers = (url: string, authorization: string): string => `mcp_servers:
  ${MCP_NAME}:
    url: ${yamlText(url)}
    headers:
      Authorization: ${yamlText(authorization)}
    connect_timeout: 10
    timeout: 60
`

/** A double-quoted scalar: JSON's, but that YAML wants more characters escaped. */
const yamlText = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )

/** What the agent reads of its persona; it cuts off the rest. */
const LONGEST_PERSONA = 20_000
const LONGEST_NAME = 200

/** `SOUL.md`: who the agent is. Written without the phrases that its filter takes for an attack. */
export function persona(businessName: string, instructions = ''): string {
  const name = oneLine(businessName)
  return `# ${name}

Your name is ${name}. You are the AI assistant of the business of that name, and you talk with its people in their portal
and, where it is connected, in Telegram.

- Introduce yourself as ${name}. Speak the language of the person you talk with.
- Be brief and concrete. Say what you did, and what you could not do.
- You work on a server of your own. Before something that can't be undone, such as deleting files or sending messages to
  others, ask.
- If you have the memory tools (their names begin with mcp_${MCP_NAME}), look there before you say that you don't know
  something about the business, and remember what will matter later.
- Keep keys, tokens and passwords to yourself.
${instructions.trim() === '' ? '' : `\n## What ${name} wants of you\n\n${visible(instructions)}\n`}`.slice(
    0,
    LONGEST_PERSONA
  )
}

/** Without invisible characters, which the agent's filter refuses. */
const visible = (text: string): string => text.replace(/\p{Cf}/gu, '').replace(/(?![\n\t])\p{Cc}/gu, '')

/** Without line breaks and control characters. */
const oneLine = (text: string): string =>
  text
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .trim()

/**
 * Only the given chat may talk to the bot: a person's by the id of its user, a group's, which is negative, by its own.
 * @throws Error when the token or the chat id isn't of Telegram's form; the message holds neither
 */
export function telegramEnvironment({ botToken, chatId }: { botToken: string; chatId: string }): string {
  if (!/^[\w:-]+$/.test(botToken)) throw new Error('The Telegram bot token has characters that none has.')
  if (!/^-?\d+$/.test(chatId)) throw new Error('The Telegram chat id is not a number.')
  const allowed = chatId.startsWith('-') ? 'TELEGRAM_GROUP_ALLOWED_CHATS' : 'TELEGRAM_ALLOWED_USERS'
  return `TELEGRAM_BOT_TOKEN=${botToken}\n${allowed}=${chatId}\nTELEGRAM_HOME_CHANNEL=${chatId}\n`
}
