import { Option } from '@commander-js/extra-typings'
import { CreatePlan, PERIODS, PlanFeatures, PlanKind, planTerms } from '../../schemas/plan.ts'
import { createPlan } from '../../src/plans/operations.ts'
import { listPlans } from '../../src/plans/store.ts'
import { priceInWords } from '../../src/plans/words.ts'
import { commandGroup, commandOfPartner } from './command.ts'
import { minute } from './output.ts'
import { jsonOf, textOf } from './values.ts'

const createCommand = commandOfPartner('create', {
  about: 'create a plan; its features overwrite the defaults of customers that get it',
  note: `Features: ${Object.keys(PlanFeatures.shape).join(', ')}`,
  example: `mindgate plan create --partner acme-voice --name Pro --kind subscription --features '{"maxTeamMembers":10,"trialDays":14}'`,
  options: (bare) =>
    bare
      .requiredOption('--name <name>', 'what the plan is called', textOf(CreatePlan.shape.name))
      .addOption(new Option('--kind <kind>', 'what it sells').choices(PlanKind.options).makeOptionMandatory())
      .option('--features <json>', 'object of feature fields', jsonOf(PlanFeatures), {})
      .option('--price <amount>', 'what a period or the pack costs', jsonOf(planTerms.price))
      .addOption(new Option('--period <period>', 'how often a subscription is charged').choices(PERIODS))
      .option('--credits <amount>', 'credits that it holds or starts with', jsonOf(planTerms.credits)),
  async run({ operate, partner, printCard }, { name, kind, features, price, period, credits }) {
    const terms = { price, period, credits }
    const { data } = await operate(createPlan, { name, kind, features, ...terms })
    const { planId } = data
    printCard({ planId }, `${partner.name} has the plan ${name} now`, {
      Id: planId,
      Kind: kind,
      Price: priceInWords(data),
      Features: JSON.stringify(features)
    })
  }
})

const listCommand = commandOfPartner('list', {
  about: 'list the plans of a partner, newest first',
  example: 'mindgate plan list --partner acme-voice',
  async run({ database, partner: { partnerId, slug }, printTable }) {
    const plans = await listPlans(database.read, partnerId)
    printTable(plans, `No plan yet. \`mindgate plan create --partner ${slug} --help\` has an example.`, {
      Id: ({ planId }) => planId,
      Name: ({ name }) => name,
      Kind: ({ kind, isArchived }) => (isArchived ? `${kind}, archived` : kind),
      Price: priceInWords,
      Features: ({ features }) => JSON.stringify(features),
      Created: ({ createdAt }) => minute(createdAt)
    })
  }
})

export const planCommand = commandGroup('plan', 'create and list subscription and credit plans', [
  createCommand,
  listCommand
])
