// The one table of what doesn't apply to a server that has tools and keeps no sessions, with the reason of each, and
// what the suite must say about it: a check that fails for another reason than the listed one is a failure of ours.

export interface NotApplicable {
  reason: string
  /** What the suite's message looks like when this is the reason. */
  says: RegExp
  /** The scenarios, and the checks in each. */
  checks: Readonly<Record<string, readonly string[]>>
}

/** Needs a listed resource, which the customer gateway alone has. */
export const LISTED_RESOURCE_READ = 'sep-2549-resources-read-caching-hints'

const METHOD_NOT_FOUND = /Method not found/
const UNKNOWN_TOOL = /unknown tool "test_/

/** Scenarios that have one check of the same name. */
const namedAlike = (...names: string[]): Record<string, string[]> =>
  Object.fromEntries(names.map((name) => [name, [name]]))

export const notApplicable: readonly NotApplicable[] = [
  {
    reason: 'The prompt is one of the suite’s own; ours is another.',
    says: /There is no such prompt, only customer_memory|Not testable|Method not found|test_/,
    checks: {
      ...namedAlike('prompts-get-simple', 'prompts-get-with-args'),
      ...namedAlike('prompts-get-embedded-resource', 'prompts-get-with-image'),
      'input-required-result-non-tool-request': ['sep-2322-non-tool-incomplete']
    }
  },
  {
    reason: 'The resource is one of the suite’s own; ours are Minds’ profiles.',
    says: /Resource not found: test:/,
    checks: namedAlike('resources-read-text', 'resources-read-binary', 'resources-templates-read')
  },
  {
    reason:
      'A partner’s resources are a template, of which there are as many as customers; a customer’s own is listed.',
    says: /returned no resources/,
    checks: { caching: [LISTED_RESOURCE_READ] }
  },
  {
    reason: 'A profile isn’t watched, and the capability isn’t declared.',
    says: METHOD_NOT_FOUND,
    checks: namedAlike('resources-subscribe', 'resources-unsubscribe')
  },
  {
    reason: 'There is nothing to complete: completions belong to prompts and resources.',
    says: METHOD_NOT_FOUND,
    checks: namedAlike('completion-complete')
  },
  {
    reason: 'Logs go to the operator, not to clients; the capability isn’t declared.',
    says: METHOD_NOT_FOUND,
    checks: namedAlike('logging-set-level', 'tools-call-with-logging')
  },
  {
    reason:
      'The tool is one of the suite’s own. The same scenario passes against the same gateway with such a tool (fixture-tools.ts).',
    says: /unknown tool "test_|does not list the diagnostic tool 'test_logging_tool'/,
    checks: {
      ...namedAlike('tools-call-simple-text', 'tools-call-error', 'tools-call-with-progress'),
      'server-stateless': ['sep-2575-server-no-log-without-loglevel']
    }
  },
  {
    reason: 'The tool is one of the suite’s own, and answers in media; our tools answer in JSON alone.',
    says: UNKNOWN_TOOL,
    checks: {
      ...namedAlike('tools-call-image', 'tools-call-audio'),
      ...namedAlike('tools-call-embedded-resource', 'tools-call-mixed-content')
    }
  },
  {
    reason:
      'The tool is one of the suite’s own, with a schema of references and definitions; ours are written out for models.',
    says: /^Tool 'json_schema_2020_12_tool' not found/,
    checks: { 'json-schema-2020-12': ['json-schema-2020-12-tool-found'] }
  },
  {
    reason:
      'The tool is one of the suite’s own, and asks the client back; our tools answer from their arguments alone.',
    says: /unknown tool "test_|Not testable: .* 'test_(missing_capability|streaming_elicitation)'/,
    checks: {
      ...namedAlike('tools-call-sampling', 'tools-call-elicitation'),
      'elicitation-sep1034-defaults': ['elicitation-sep1034-general'],
      'elicitation-sep1330-enums': ['elicitation-sep1330-general'],
      'server-stateless': [
        'sep-2575-server-rejects-undeclared-capability',
        'sep-2575-missing-capability-http-400',
        'sep-2575-http-server-no-independent-requests-on-stream'
      ],
      'input-required-result-basic-elicitation': ['sep-2322-elicitation-incomplete'],
      'input-required-result-basic-sampling': ['sep-2322-sampling-incomplete'],
      'input-required-result-basic-list-roots': ['sep-2322-list-roots-incomplete'],
      'input-required-result-request-state': ['sep-2322-request-state-incomplete'],
      'input-required-result-multiple-input-requests': ['sep-2322-multiple-inputs-incomplete'],
      'input-required-result-result-type': ['sep-2322-result-type-included'],
      'input-required-result-capability-check': ['sep-2322-respect-client-capabilities'],
      'input-required-result-ignore-extra-params': ['sep-2322-ignore-unexpected-params']
    }
  },
  {
    reason: 'As above; the suite says only that the question back didn’t come.',
    says: /InputRequiredResult/,
    checks: {
      'input-required-result-multi-round': ['sep-2322-multi-round-r1'],
      'input-required-result-tampered-state': ['sep-2322-reject-tampered-state'],
      'input-required-result-missing-input-response': ['sep-2322-missing-response-rerequests']
    }
  },
  {
    reason: 'No tool asks for its parameters in headers.',
    says: /^Not testable: server exposes no tool with x-mcp-header annotations/,
    checks: {
      'http-custom-header-server-validation': [
        'sep-2243-server-no-xmcp-tool',
        'sep-2243-server-decode-base64',
        'sep-2243-server-validate-param-match',
        'sep-2243-server-reject-invalid-param-chars',
        'sep-2243-server-reject-param-mismatch'
      ]
    }
  },
  {
    reason: 'There are no sessions: every request stands alone.',
    says: /did not (provide|return) (an MCP-Session-Id header|session ID)/,
    checks: {
      'server-initialize': ['server-session-id-visible-ascii'],
      'server-session-lifecycle': ['server-session-lifecycle-skipped'],
      'server-sse-multiple-streams': ['server-sse-multiple-streams-session'],
      'server-sse-polling': ['server-sse-polling-session']
    }
  },
  {
    reason: 'Answers are plain JSON; only a call that asks for progress gets a stream.',
    says: /^Server returned JSON/,
    checks: {
      'server-sse-multiple-streams': ['server-sse-streams-functional'],
      'server-sse-polling': ['server-sse-content-type']
    }
  },
  {
    reason: 'The tool list changes with a release alone, so that there is nothing to subscribe to.',
    says: /no subscription-delivered capability|did not declare (prompts|tools)\.listChanged/,
    checks: {
      'server-stateless': [
        'sep-2575-server-sends-subscription-ack',
        'sep-2575-server-tags-subscription-id',
        'sep-2575-server-honors-notification-filter',
        'sep-2575-server-sends-prompts-list-changed-on-subscription',
        'sep-2575-server-sends-tools-list-changed-on-subscription'
      ]
    }
  }
]

/** Scenarios of extensions, which no version requires and which we don't declare: they aren't run. */
export const extensionsNotOffered: Readonly<Record<string, readonly string[]>> = {
  'Tasks: a call’s result comes with its answer.': [
    'tasks-lifecycle',
    'tasks-capability-negotiation',
    'tasks-wire-fields',
    'tasks-request-state-removal',
    'tasks-mrtr-input',
    'tasks-request-headers',
    'tasks-dispatch-and-envelope',
    'tasks-status-notifications',
    'tasks-required-task-error',
    'tasks-mrtr-composition'
  ],
  'Skills: they are resources, and there are none.': [
    'sep-2640-skills-directory',
    'sep-2640-skills-enumeration',
    'sep-2640-skills-manifest'
  ]
}
