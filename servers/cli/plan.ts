import { Command, Option } from '@commander-js/extra-typings'
import { CreatePlan, CreatePlanResult, PlanFeatures, PlanKind } from '../../schemas/plan.ts'
import { createPlan } from '../../src/plans/operations.ts'
import { listPlans } from '../../src/plans/store.ts'
import { operate } from './operate.ts'
import { card, minute, print, table } from './output.ts'
import type { Terminal } from './terminal.ts'
import { jsonOf, textOf } from './values.ts'
import { partnerNamed, withDatabase } from './workplace.ts'

export const planCommand = (terminal: Terminal) =>
  new Command('plan')
    .description('create and list subscription and credit plans')
    .addCommand(createCommand(terminal))
    .addCommand(listCommand(terminal))

const createCommand = (terminal: Terminal) =>
  new Command('create')
    .description('create a plan; its features overwrite the defaults of customers that get it')
    .requiredOption('--partner <id>', 'id or slug of the partner')
    .requiredOption('--name <name>', 'what the plan is called', textOf(CreatePlan.shape.name))
    .addOption(new Option('--kind <kind>', 'what it sells').choices(PlanKind.options).makeOptionMandatory())
    .requiredOption('--features <json>', 'object of feature fields', jsonOf(PlanFeatures))
    .option('--json', 'answer with one line of JSON')
    .addHelpText(
      'after',
      `\nFeatures: ${Object.keys(PlanFeatures.shape).join(', ')}\n\nExample:\n  $ mindgate plan create --partner acme-voice --name Pro --kind subscription --features '{"maxTeamMembers":10,"trialDays":14}'`
    )
    .action(({ partner: idOrSlug, name, kind, features, json }) =>
      withDatabase(terminal, async (place) => {
        const { partnerId, name: partnerName } = await partnerNamed(place.database, idOrSlug)
        const input = { name, kind, features }
        const { planId } = (await operate(place, createPlan, { partnerId, input, output: CreatePlanResult }))
          .data
        print(terminal, { json }, { planId }, () =>
          card(`${partnerName} has the plan ${name} now`, {
            Id: planId,
            Kind: kind,
            Features: JSON.stringify(features)
          })
        )
      })
    )

const listCommand = (terminal: Terminal) =>
  new Command('list')
    .description('list the plans of a partner, newest first')
    .requiredOption('--partner <id>', 'id or slug of the partner')
    .option('--json', 'answer with one line of JSON')
    .addHelpText('after', '\nExample:\n  $ mindgate plan list --partner acme-voice')
    .action(({ partner: idOrSlug, json }) =>
      withDatabase(terminal, async ({ database }) => {
        const { partnerId, slug } = await partnerNamed(database, idOrSlug)
        print(terminal, { json }, await listPlans(database.read, partnerId), (plans) =>
          table(
            plans,
            {
              Id: ({ planId }) => planId,
              Name: ({ name }) => name,
              Kind: ({ kind }) => kind,
              Features: ({ features }) => JSON.stringify(features),
              Created: ({ createdAt }) => minute(createdAt)
            },
            `No plan yet. \`mindgate plan create --partner ${slug} --help\` has an example.`
          )
        )
      })
    )
