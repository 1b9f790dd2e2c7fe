// The console's pages of servers and of deploys, and what a listed page is.
import type { SeededDeploys } from './support/deploys.ts'
import type { Fixture, Visitor } from './support/fixture.ts'

export interface ListedPage {
  /** Names it in tests and pictures. */
  name: string
  as: Visitor
  path: (fixture: Fixture) => string
  /** Answers with something else than 200. */
  status?: number
  /** Loads the chat widget, and has no agent to talk to: the browser complains about what its server answers. */
  hasChat?: true
  /** A form of the page that is sent without script, and the text of the page that follows. */
  form?: {
    /** Values by the fields' labels. */
    fields?: Record<string, string>
    /** The button's name. */
    button: string
    /** Stands on the page after it. */
    answers: string | RegExp
  }
}

const inConsole = (path: string) => () => `/console${path}`

const deploy = (which: keyof SeededDeploys) => (fixture: Fixture) => {
  const { instanceId, deployId } = fixture.deploys[which]
  return `/console/instances/${instanceId}/deploys/${deployId}`
}

export const SERVER_PAGES: readonly ListedPage[] = [
  // Console: servers
  { name: 'console-instances', as: 'console', path: inConsole('/instances') },
  { name: 'console-instance-whose', as: 'console', path: inConsole('/instances/register') },
  {
    name: 'console-instance-register',
    as: 'console',
    path: (fixture) => `/console/instances/register/${fixture.customer.customerId}`,
    form: {
      fields: { Host: 'vps1.example.com', 'Host key': 'MD5:00' },
      button: 'Register server',
      answers: 'Host key must be a SHA-256 fingerprint as ssh-keygen -lf prints it.'
    }
  },
  {
    name: 'console-instance',
    as: 'console',
    path: (fixture) => `/console/instances/${fixture.instances.registered}`
  },

  {
    name: 'console-instances-all',
    as: 'console',
    path: inConsole('/instances/all'),
    form: {
      fields: { Instructions: 'Never promise a discount.', Release: 'main' },
      button: 'Change all agents',
      answers: 'Release must be the tag of a release, such as v2026.5.29.'
    }
  },
  {
    name: 'console-instance-change',
    as: 'console',
    path: (fixture) => `/console/instances/${fixture.instances.ready}/change`,
    form: {
      fields: { Release: 'main' },
      button: 'Change agent',
      answers: 'Release must be the tag of a release, such as v2026.5.29.'
    }
  },

  // Console: deploys
  {
    name: 'console-instance-ready',
    as: 'console',
    path: (fixture) => `/console/instances/${fixture.instances.ready}?look`
  },
  {
    name: 'console-instance-silent',
    as: 'console',
    path: (fixture) => `/console/instances/${fixture.instances.silent}`
  },
  {
    name: 'console-deploy-new',
    as: 'console',
    path: (fixture) => `/console/instances/${fixture.instances.registered}/deploy`,
    form: {
      fields: { 'Business name': 'Hanami', 'Telegram chat id': '12' },
      button: 'Deploy agent',
      answers: 'Telegram bot token must be given with a chat id.'
    }
  },
  {
    name: 'console-deploy-again',
    as: 'console',
    path: (fixture) => `/console/instances/${fixture.instances.ready}/deploy`,
    form: { button: 'Deploy agent', answers: 'The agent on Recepción is running.' }
  },
  { name: 'console-deploy-running', as: 'console', path: deploy('running') },
  { name: 'console-deploy-done', as: 'console', path: deploy('done') },
  { name: 'console-deploy-failed', as: 'console', path: deploy('failed') }
]
