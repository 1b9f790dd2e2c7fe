// Everything that is read.
import type { FC } from 'hono/jsx'
import { paginate } from '../../../schemas/envelope.ts'
import { SpentChart } from '../../../servers/portal/ui/chart.tsx'
import { SecretBox, Snippet } from '../../../servers/portal/ui/copy.tsx'
import { Button, ConfirmButton, LinkButton } from '../../../servers/portal/ui/form.tsx'
import {
  Card,
  DescriptionList,
  EmptyState,
  Grid,
  Prose,
  Stack,
  StepList,
  Tabs
} from '../../../servers/portal/ui/layout.tsx'
import { Pager, Table } from '../../../servers/portal/ui/table.tsx'
import { Badge, Credits, Money, ShortId, Time } from '../../../servers/portal/ui/values.tsx'
import { PEOPLE } from './people.ts'

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const DAYS = Array.from({ length: 30 }, (_, index) => ({
  date: new Date(Date.UTC(2026, 9, 3 + index)).toISOString(),
  spent: index % 7 > 4 ? 0 : Math.round(40 + 35 * Math.sin(index / 3) + ((index * 17) % 23))
}))

const CUSTOMER_COLUMNS = [
  { title: 'Customer' },
  { title: 'State' },
  { title: 'Phone', narrow: 'hide' as const },
  { title: 'Price', align: 'end' as const },
  { title: 'Since' }
]

const customerRows = PEOPLE.map((person, index) => ({
  href: `/gallery/${index}`,
  cells: [
    person.companyName,
    <Badge tone={(['good', 'warn', 'bad', 'neutral'] as const)[index % 4] ?? 'neutral'}>
      {['active', 'pending', 'suspended', 'new'][index % 4]}
    </Badge>,
    person.businessPhone ?? '–',
    <Money amount={349.5 + index * 1_200} currency="EUR" />,
    <Time iso={ago(person.since * 1_440)} />
  ]
}))

export const Content: FC = () => (
  <>
    <Tabs
      label="Customer"
      items={[
        { href: '/a', label: 'Overview', current: true },
        { href: '/b', label: 'Details', current: false },
        { href: '/c', label: 'Portal access', current: false },
        { href: '/d', label: 'Voice agents', current: false },
        { href: '/e', label: 'Credits', current: false }
      ]}
    />
    <SecretBox
      label="API key"
      secret="pkt_7Yb3XkQ9mZ2VfL8sT4wR6nC1hJ5dG0pA_2Kc"
      note="It is shown this once. Keep it where your other secrets are; whoever has it acts as you."
    />
    <Table caption="Customers" columns={CUSTOMER_COLUMNS} rows={customerRows} />
    <Pager pagination={paginate(3, 20, 1_284)} hrefOf={(number) => `/content?page=${number}`} />
    <Grid>
      <Card title="Balance">
        <Credits amount={1_284.5} />
      </Card>
      <Card title="Customers">128</Card>
      <Card title="Memories">{(18_204).toLocaleString('en')}</Card>
    </Grid>
    <Card title="Usage">
      <SpentChart title="Credits spent" daily={DAYS} />
    </Card>
    <Card title="Nothing spent">
      <SpentChart title="Credits spent" daily={DAYS.map((day) => ({ ...day, spent: 0 }))} />
    </Card>
    <Card
      title="Team"
      description="Who signs in to this portal beside you. 2 of 5 places are taken."
      action={<LinkButton href="/x">Invite somebody</LinkButton>}
    >
      <Table
        caption="Team"
        columns={[
          { title: 'Name' },
          { title: 'E-mail' },
          { title: 'State' },
          { title: 'Remove', hidden: true }
        ]}
        rows={['Marta Ruiz', 'Recepción'].map((name, index) => ({
          cells: [
            name,
            `${name.split(' ')[0]?.toLowerCase()}@clinicasol.example`,
            <Badge tone={index ? 'warn' : 'good'}>{index ? 'invited' : 'active'}</Badge>,
            <ConfirmButton
              label="Remove"
              title={`Remove ${name}?`}
              text="They are signed out at once."
              action="/gallery/remove"
              confirmLabel="Remove"
            />
          ]
        }))}
      />
    </Card>
    <Card title="Keys">
      <Table
        caption="Keys"
        columns={[{ title: 'Name' }]}
        rows={[]}
        empty={{
          title: 'No keys yet',
          text: 'A key lets your own code and your agents call the partner API. Mint one to begin.',
          action: <Button type="button">Mint a key</Button>
        }}
      />
    </Card>
    <EmptyState
      title="No customers match"
      action={
        <LinkButton href="/x" kind="plain">
          Show all
        </LinkButton>
      }
    >
      No customer has “nobody” in its name, e-mail, phone or company.
    </EmptyState>
    <Card title="Details">
      <DescriptionList
        items={[
          { term: 'Id', value: <ShortId id="cus_01J9ZX8K4N2V7QWERTY" /> },
          { term: 'Company', value: 'Clínica Sol' },
          { term: 'Phone', value: null },
          {
            term: 'Use case',
            value: 'Books, moves and cancels appointments for four surgeries, in three languages.'
          },
          { term: 'Last seen', value: <Time iso={ago(7)} /> },
          { term: 'Price', value: <Money amount={1_349.5} currency="EUR" /> }
        ]}
      />
    </Card>
    <Card title="Connect Claude Code">
      <Stack>
        <Prose>
          <p>Run this once where Claude Code is installed. It keeps the token in its own settings.</p>
        </Prose>
        <Snippet
          label="Terminal"
          code={
            'claude mcp add --transport http memory https://portal.northwind.example/api/mcp \\\n  --header "Authorization: Bearer mct_…"'
          }
        />
      </Stack>
    </Card>
    <Card title="Deploy">
      <StepList
        steps={[
          { label: 'Connect', state: 'done', detail: 'Host key checked' },
          { label: 'Install the agent', state: 'running', detail: 'Downloading, 42 %' },
          { label: 'Register memory', state: 'waiting' },
          { label: 'Smoke test', state: 'failed', detail: 'The agent answered nothing within 60 seconds.' }
        ]}
      />
    </Card>
    <Card title="Forget everything" tone="danger" description="Every memory of this Mind is erased for good.">
      <ConfirmButton
        label="Forget this Mind"
        title="Forget “Complaints”?"
        text="Its 18 memories are erased. Nobody can bring them back."
        action="/gallery/forget"
        confirmLabel="Forget it"
      />
    </Card>
  </>
)
