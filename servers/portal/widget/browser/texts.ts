// Every word of the widget, in one table. A page brings its own by a JSON child; what it leaves out stays English.

/** In braces is what is filled in: `{name}` is the agent's. */
export const ENGLISH = {
  agent: 'the agent',
  conversation: 'Conversation with {name}',
  emptyTitle: 'Start a conversation with {name}',
  emptyText: 'Ask a question or hand over a task. Everybody in your team sees this conversation.',
  newConversation: 'New conversation',
  begun: 'A new conversation has begun',
  former: 'Earlier conversations',
  noFormer: 'There are none yet. When you begin a new conversation, the one before is kept here.',
  readingFormer: 'You are reading an earlier conversation. {name} doesn’t see it in the current one.',
  backToCurrent: 'Back to the current conversation',
  earlier: 'Show earlier messages',
  loading: 'Loading the conversation',
  today: 'Today',
  yesterday: 'Yesterday',
  sent: 'Sent at {time}',
  replied: '{name}, at {time}',
  latest: 'Latest messages',

  message: 'Message',
  placeholder: 'Message {name}',
  send: 'Send message',
  keys: 'Enter sends, Shift+Enter starts a new line',
  busy: 'Wait for the reply, or stop it, before you send the next message.',
  left: '{count} characters left',
  over: 'Too long by about {count} characters',

  attach: 'Attach files',
  files: 'Files with this message',
  filesOfReply: 'Files with this reply',
  removeFile: 'Remove {file}',
  uploading: '{file} is on its way',
  filesReady: 'The files are there',
  filesNotReady: 'Wait until the files are there, or remove those that can’t be sent.',
  filesAlone: 'Write what {name} is to do with the files.',
  tooManyFiles: 'Five files at most go with a message.',
  fileTooLarge: 'Larger than 10 MB',
  fileKind: 'Files of this kind aren’t taken',
  fileLost: 'Couldn’t be sent. Remove it, and try again',

  working: '{name} is working on it',
  stillWorking: '{name} is still working · {seconds} s',
  longer: 'A long task goes on when you leave; its reply will be here.',
  used: 'Used so far: {tools}',
  checking: 'Looking whether your message arrived',
  stop: 'Stop',
  stopping: 'Stopping',

  copyReply: 'Copy reply',
  copyCode: 'Copy code',
  copied: 'Copied',
  notCopied: 'Copying isn’t allowed here: select the text instead',
  code: 'Code',
  table: 'Table',
  imageLink: 'Image: {text}',
  tooLong: 'The rest is too long to be shown here. Copy the reply to have all of it.',

  newReply: '{name} replied: {text}',
  moreInConversation: 'The whole reply is in the conversation.',
  retry: 'Try again',
  edit: 'Edit message',
  checkAgain: 'Check again',
  signIn: 'Sign in',

  'unauthorized.title': 'You are signed out',
  'unauthorized.text': 'Sign in again to go on. What you wrote is kept.',
  'forbidden.title': 'This chat belongs to another account',
  'forbidden.text': 'Sign in with the account that {name} works for.',
  'instance_not_found.title': '{name} is no longer here',
  'instance_not_found.text': 'It was removed or has moved. Ask whoever set it up for you.',
  'conversation_not_found.title': 'This conversation is no longer kept',
  'conversation_not_found.text': 'The oldest ones go when there are more than a hundred.',
  'agent_not_ready.title': '{name} isn’t ready yet',
  'agent_not_ready.text':
    'It is still being set up. You can send as soon as it’s done; this page notices by itself.',
  'invalid_input.title': 'This message can’t be sent',
  'invalid_input.text':
    'It is empty or longer than 32,000 characters, or a file of it isn’t there any more. Change it and send it again.',
  'agent_error.title': '{name} couldn’t answer',
  'agent_error.text':
    'It ran into an error or had nothing to say. Some of the work may be done. Try again, or put it in other words.',
  'model_refused.title': '{name} isn’t let in to its language model',
  'model_refused.text': 'Trying again won’t help. Tell whoever set it up for you.',
  'model_away.title': '{name}’s language model doesn’t answer',
  'model_away.text': 'That usually passes. Try again in a few minutes.',
  'disk_full.title': '{name}’s server has no room left',
  'disk_full.text': 'It can’t go on before somebody makes room. Tell whoever set it up for you.',
  'home_read_only.title': '{name} can’t write on its server',
  'home_read_only.text': 'Trying again won’t help. Tell whoever set it up for you.',
  'agent_missing.title': '{name} isn’t on its server any more',
  'agent_missing.text': 'It has to be set up again. Tell whoever set it up for you.',
  'agent_crashed.title': '{name} broke down',
  'agent_crashed.text':
    'It ended in the middle of your message, and some of the work may be done. Ask about it before you send it again.',
  'ssh_unavailable.title': '{name}’s server can’t be reached',
  'ssh_unavailable.text':
    'Nothing was done with your message. Try again in a minute; if that doesn’t help, tell whoever set it up for you.',
  'ssh_lost.title': 'The connection to {name}’s server broke',
  'ssh_lost.text':
    'Your message got there, so the work may still have been done. Ask about it before you send it again.',
  'ssh_now.title': '{name}’s server can’t be reached',
  'ssh_now.text': 'You can write, but a message may not get through. This page keeps trying.',
  'agent_timeout.title': '{name} took too long',
  'agent_timeout.text':
    'No reply came in time, but the work may still have been done. Ask about it before you send it again.',
  'agent_busy.title': '{name} was busy with something else',
  'agent_busy.text': 'This message wasn’t started, so nothing happens twice when you try again.',
  'cancelled.title': 'Stopped',
  'cancelled.text': 'What was done until then stays done.',
  'rate_limited.title': 'Too many messages in a short time',
  'rate_limited.text': 'Your message is back in the box. Wait a little and send it again.',
  'rate_limited.wait': 'Your message is back in the box. Send it again in {seconds} seconds.',
  'connection_lost.title': 'No connection',
  'connection_lost.text': 'The conversation can’t be loaded at the moment. This page keeps trying.',
  'not_sent.title': 'Your message didn’t get through',
  'not_sent.text': 'The connection was lost on the way. Your message is back in the box: send it again.',
  'offline.title': 'You are offline',
  'offline.text': 'You can go on writing, and send when the connection is back.',
  'unknown.title': 'Something went wrong',
  'unknown.text': 'That is on our side. Your message is kept: try again in a moment.'
} as const

export type TextKey = keyof typeof ENGLISH

/** Says a text, with what stands in braces filled in. */
export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string

/**
 * The words of one widget.
 * @param own a page's own texts, as they were read: what isn't a text of the table is left aside
 * @param name what the agent is called, '' for nobody in particular
 */
export function wordsOf(own: unknown, name: string): Say {
  const texts: Readonly<Record<TextKey, string>> = { ...ENGLISH, ...textsIn(own) }
  return (key, values = {}) => {
    const filled: Readonly<Record<string, string | number>> = { name: name || texts.agent, ...values }
    const text = texts[key].replaceAll(/\{(\w+)\}/g, (braces, of: string) =>
      String(Object.hasOwn(filled, of) ? filled[of] : braces)
    )
    // “the agent isn’t ready” begins a sentence; a name is spelled as it is.
    return name === '' ? text.charAt(0).toLocaleUpperCase() + text.slice(1) : text
  }
}

/** A page's own texts; a translation that is broken mustn't take the chat with it. */
export function parseTexts(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const textsIn = (own: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(own ?? {}).filter(([key, text]) => Object.hasOwn(ENGLISH, key) && typeof text === 'string')
  )
