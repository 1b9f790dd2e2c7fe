// Changing all agents at once, and how far that is.
import { StartRollout } from '../../../schemas/deploy.ts'
import { cancelRollout, getRollout, startRollout } from '../../../src/instances/deploy/configure.ts'
import { FieldControls, fieldsOf, typedInput } from '../field-control.tsx'
import { callOperation, type Page, showPage } from '../page-kit.tsx'
import { ActButton, Form, PlainLink, Submit } from '../ui/form.tsx'
import { Card, DescriptionList } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { StateBadge, Time } from '../ui/values.tsx'
import { ABOVE, INSTANCES, instancePath, ROLLOUT, ROLLOUT_STATES } from './words.tsx'

const FIELDS = fieldsOf(StartRollout.shape)

export const rolloutPage: Page = {
  async show(context, state) {
    const { data } = await callOperation(context, getRollout)
    const isRunning = data?.finishedAt === null
    return showPage(
      context,
      { title: 'Change all agents', current: 'instances', breadcrumbs: ABOVE, state },
      <>
        {data ? (
          <Card
            title={isRunning ? 'Under way' : 'The last change'}
            description="Three agents at a time. After three that did not get through it begins with no further one."
            action={
              isRunning ? (
                <>
                  <PlainLink href={ROLLOUT}>Look again</PlainLink>
                  <ActButton action={`${ROLLOUT}/cancel`}>Begin with no further one</ActButton>
                </>
              ) : undefined
            }
          >
            <DescriptionList
              items={[
                { term: 'State', value: <StateBadge {...ROLLOUT_STATES[data.state]} /> },
                { term: 'Begun', value: <Time iso={data.createdAt} /> },
                { term: 'Done', value: data.succeeded },
                { term: 'Under way', value: data.underWay },
                { term: 'Still to come', value: data.waiting }
              ]}
            />
            {data.failed.length === 0 ? null : (
              <Table
                caption="Agents that did not get through; each works on as before"
                columns={['Server', 'Why']}
                rows={data.failed.map(({ instanceId, name, message }) => ({
                  href: instancePath(instanceId),
                  cells: [name, message]
                }))}
              />
            )}
          </Card>
        ) : null}
        {isRunning ? null : (
          <Card
            title="Change all agents"
            sendsTo={ROLLOUT}
            description="Changes what is filled in, and makes each agent new keys; with nothing filled in just that. Their conversations go on."
          >
            <Form action={ROLLOUT}>
              <FieldControls of={FIELDS} state={state} />
              <Submit cancelHref={INSTANCES}>Change all agents</Submit>
            </Form>
          </Card>
        )}
      </>
    )
  },
  forms: {
    async ''(context, form) {
      // What is left empty stays as it is on each.
      const typed = Object.entries(typedInput(form, FIELDS)).filter(([, value]) => value !== '')
      return callOperation(context, startRollout, Object.fromEntries(typed), form)
    }
  },
  buttons: {
    async cancel(context, form) {
      await callOperation(context, cancelRollout, {}, form)
      return { message: 'It begins with no further agent.', next: ROLLOUT }
    }
  }
}
