// Connected apps, as console and portal list them: what, by whom, what it may, and its end.
import type { FC } from 'hono/jsx'
import { SCOPE_TEXTS } from '../../../schemas/api-key.ts'
import type { ConnectedApp } from '../../../schemas/connected-app.ts'
import { ConfirmButton } from '../ui/form.tsx'
import { Card } from '../ui/layout.tsx'
import { hidden, ifWide, Table } from '../ui/table.tsx'
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
  const who = isOwn ? [] : ['By']
  return (
    <Card title="Connected apps" description={description}>
      <Table
        caption="Connected apps"
        columns={['App', ...who, 'May', 'Last used', ifWide({ title: 'Since' }), hidden('End')]}
        rows={of.map((app) => ({
          cells: [
            <bdi title={app.clientId}>{app.clientName}</bdi>,
            ...(isOwn ? [] : [<bdi>{app.email}</bdi>]),
            app.scopes.map((scope) => SCOPE_TEXTS[scope].label).join(', '),
            app.lastUsedAt === null ? 'Never' : <Time iso={app.lastUsedAt} />,
            <Time iso={app.createdAt} />,
            <ConfirmButton
              label="Disconnect"
              title={`Disconnect ${namedBy(app.clientName)}?`}
              text="It is refused at once. Whoever connected it can connect it again."
              action={actionOf(app)}
            />
          ]
        }))}
        empty={{
          title: 'No app is connected',
          text: 'Assistants such as Claude and ChatGPT are given the gateway’s address, and you sign in.'
        }}
      />
    </Card>
  )
}
