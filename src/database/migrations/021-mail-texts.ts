// What a partner says in its own words in mails to its customers' people.
import * as t from './statements.ts'

export const up = t.running([
  t.table(
    'mailText',
    t.text('partnerId', 'template', 'language', 'updatedAt'),
    t.textOrNull('subject', 'intro', 'outro'),
    t.goesWith('partner'),
    t.constraint('mailTextKey', 'primary key', 'partnerId', 'template', 'language')
  )
])
