// Connected apps, as console and portal list them: what, by whom, what it may, and its end.
import type { FC } from 'hono/jsx'
import { SCOPE_TEXTS } from '../../../schemas/api-key.ts'
import type { ConnectedApp } from '../../../schemas/connected-app.ts'
import { say, sayIfKnown } from '../../../src/language/say.ts'
import { TableCard } from '../ui/cards.tsx'
import { ConfirmButton } from '../ui/form.tsx'
import { hidden, ifWide } from '../ui/table.tsx'
import { Time } from '../ui/values.tsx'
import { namedBy } from './stored-text.tsx'

interface AppCardProps {
  description: string
  of: readonly ConnectedApp[]
  /** Where one is ended. */
  actionOf: (app: ConnectedApp) => string
  /** One's own don't say by whom. */
  isOwn?: boolean
}

export const AppCard: FC<AppCardProps> = ({ description, of, actionOf, isOwn = false }) => {
  const who = isOwn ? [] : [say('By')]
  return (
    <TableCard
      title={say('Connected apps')}
      description={description}
      caption={say('Connected apps')}
      columns={[
        say('App'),
        ...who,
        say('May'),
        say('Last used'),
        ifWide({ title: say('Since') }),
        hidden(say('End'))
      ]}
      rows={of.map((app) => ({
        cells: [
          <bdi title={app.clientId}>{app.clientName}</bdi>,
          ...(isOwn ? [] : [<bdi>{app.email}</bdi>]),
          app.scopes.map((scope) => sayIfKnown(SCOPE_TEXTS[scope].label)).join(', '),
          app.lastUsedAt === null ? say('Never') : <Time iso={app.lastUsedAt} />,
          <Time iso={app.createdAt} />,
          <ConfirmButton
            label={say('Disconnect')}
            title={say('Disconnect {name}?', { name: namedBy(app.clientName) })}
            text={say('It is refused at once. Whoever connected it can connect it again.')}
            action={actionOf(app)}
          />
        ]
      }))}
      empty={{
        title: say('No app is connected'),
        text: say('Assistants such as Claude and ChatGPT are given the gateway’s address, and you sign in.')
      }}
    />
  )
}
