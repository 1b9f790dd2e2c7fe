// What an agent on a customer's server is told beyond its name.
import { z } from 'zod'
import { line, requiredLine, said, text } from './primitives.ts'

/** Tags of releases as projects give them; they end up in an install command. */
const Release = line(60).regex(/^v?\d[\w.-]*$/, 'must be the tag of a release, such as v2026.5.29')

export const AgentSettings = z
  .object({
    instructions: said(
      text(8_000),
      'What the business wants of its agent, added to its persona; empty for nothing.',
      'Opening hours are Monday to Friday, 9 to 18. Never promise a discount.',
      {
        label: 'Instructions',
        help: 'What the business wants of its agent, in plain words. It reads them with the next message, in the conversation that it is in.'
      }
    ).optional(),
    model: said(
      requiredLine(200),
      'Which of the partner’s models the agent uses; auto for the primary one.',
      'auto',
      {
        label: 'Model',
        help: 'One of your models by its name, or auto for your primary one, whichever that is.'
      }
    ).optional(),
    release: said(Release, 'Tag of the agent’s release to install; kept for later deploys.', 'v2026.5.29', {
      label: 'Release',
      help: 'Tag of another release to install, such as v2026.5.29. Left empty, the program stays as it is.'
    }).optional()
  })
  .meta({ id: 'AgentSettings' })
export type AgentSettings = z.output<typeof AgentSettings>
