/** Keys of the AI gateway, our own tokens, and Telegram's bot tokens. */
const SECRET = /\b(?:sk|mct|pkt)[-_][\w-]{6,}|\b\d{5,}:[\w-]{20,}/g

/** What the agent or its installer printed, without anything that looks like a secret. */
export const withoutSecrets = (text: string): string => text.replace(SECRET, '•••')
