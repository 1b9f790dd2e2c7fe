// Everything that can be refused: each channel reads the same entry. Of several next steps the first counts whose tools the
// caller has, and the last names none.

export const ERRORS = {
  400: {
    invalid_input: {
      meaning: 'A field is missing or doesn’t fit. `field` names the first one.',
      example: 'email is not a valid e-mail address.',
      field: 'email',
      nextStep: 'Correct that argument and call again.'
    },
    email_exists: {
      meaning: 'The e-mail address is already taken.',
      field: 'email',
      nextStep: [
        'Call customer_list with this e-mail as search to find who has it.',
        'Ask the user for another address.'
      ]
    },
    plan_not_found: {
      meaning: 'There is no plan of yours with this id that is on offer.',
      field: 'planId',
      nextStep: ['Call plan_list to find the right planId.', 'Ask the user for a plan id of this partner.']
    },
    portal_access_missing: {
      meaning: 'The customer has never had portal access. Enable it first.',
      nextStep: [
        'Ask the user whether to call customer_enable_portal_access, which mails an invite.',
        'Tell the user that the customer was never invited.'
      ]
    },
    team_limit_reached: {
      meaning: 'The team is full. Remove a member or raise `maxTeamMembers`.',
      example: 'This customer’s team is full: maxTeamMembers is 5.',
      nextStep: [
        'Call team_member_list to see who could leave, or customer_update to raise maxTeamMembers.',
        'Tell the user that the team is full.'
      ]
    },
    webhook_limit_reached: { meaning: 'You have ten webhooks. Remove one first.' },
    agent_mapped_elsewhere: {
      meaning:
        'Another customer holds the agent, or held it then. Unmap it first, or map it since a later time.',
      nextStep: [
        'If the message names a time, map it since then; else ask the user whether to call voice_agent_unmap first.',
        'Tell the user that another customer has the agent.'
      ]
    },
    instance_exists: {
      meaning: 'The same place on the same server is registered for another customer of yours.',
      example: 'This place is registered for another customer. Remove it there first.',
      field: 'host'
    },
    instance_unreachable: {
      meaning: 'The server can’t be reached over SSH, or doesn’t let us in. The text says which.',
      example: 'The server did not answer in time. Check that it runs and that its firewall lets SSH in.',
      field: 'host',
      nextStep: 'Tell the user what keeps us from the server.'
    },
    host_key_mismatch: {
      meaning: 'The server shows another host key than the one that is expected of it.',
      field: 'hostKey'
    },
    models_missing: {
      meaning:
        'Your account is entitled to no AI model yet, so an agent could not answer. Ask your operator for one.'
    }
  },
  401: {
    unauthorized: {
      meaning: 'The API key is missing, unknown, revoked or expired.',
      example: 'This API key is not valid. Send `Authorization: Bearer pkt_…`.'
    }
  },
  402: {
    insufficient_credits: {
      meaning: 'The partner or the customer has too few credits. Nothing was done and nothing was charged.',
      example: 'There are not enough credits for this.',
      nextStep: [
        'Call credits_balance and customer_credits_balance to see whose are used up, and tell the user; memory_recall is free and still works.',
        'Tell the user that credits are used up; memory_recall is free and still works.',
        'Tell the user that credits are used up.'
      ],
      customerStep: 'Recall is free and still works; tell the user that the credits are used up.'
    }
  },
  403: {
    partner_not_found: { meaning: 'The partner account is gone.' },
    partner_inactive: {
      meaning: 'The partner account is inactive. Its operator can activate it.',
      example: 'The partner account is inactive.'
    },
    missing_scope: {
      meaning: 'The key lacks the scope that the operation needs.',
      example: 'This API key lacks the scope customers:write.',
      nextStep: 'Don’t call it again with this key; tell the user.',
      customerStep: 'Don’t call it again with this token; tell the user.'
    },
    cross_site: { meaning: 'A browser sent it from another site than this one.' },
    forbidden: { meaning: 'It belongs to another customer.' },
    access_closed: {
      meaning: 'The portal is closed to its owner, or the customer is blocked, and its tokens with it.'
    },
    api_access_disabled: {
      meaning: 'Tokens of its own making are switched off for the customer (`enableApiAccess`).'
    },
    team_disabled: {
      meaning: 'Team members are switched off for this customer (`enableTeamMembers`).',
      example: 'Team members are switched off for this customer (enableTeamMembers).',
      nextStep: [
        'Call customer_update with enableTeamMembers true if the user wants a team.',
        'Tell the user that this customer has no team.'
      ]
    },
    memory_not_enabled: {
      meaning: 'Memory is switched off for the partner or for this customer (`enableAiMemory`).',
      example: 'Memory is not enabled for this customer.',
      nextStep: [
        'Ask the user whether to call customer_update with enableAiMemory true; if that doesn’t help, the partner’s own AI memory is off.',
        'Tell the user that memory is off for this customer or for the partner.'
      ],
      customerStep: 'Go on without memory, and tell the user that it is switched off.'
    }
  },
  404: {
    link_ended: {
      meaning: 'This link was used already, replaced by a newer one, or ran out. Ask for a new one.'
    },
    not_found: { meaning: 'There is nothing at this path.' },
    customer_not_found: {
      meaning: 'You have no customer with this id or short code.',
      field: 'customerId',
      nextStep: [
        'Call customer_list to find the right customerId.',
        'Ask the user for the customer’s id or short code.'
      ],
      customerStep: 'Tell the user that this token no longer works.'
    },
    instance_not_found: {
      meaning: 'You have no instance with this id.',
      field: 'instanceId',
      nextStep: ['Call instance_list to find the right instanceId.', 'Ask the user which server is meant.']
    },
    conversation_not_found: {
      meaning: 'There is no conversation with this id, or it is too long ago and was removed.'
    },
    agent_not_found: {
      meaning: 'You have no voice agent with this id. Import it or check the provider.',
      field: 'agentId',
      nextStep: [
        'Call voice_agent_list with a part of its name as search, and mind the provider.',
        'Ask the user for the agent’s id at its provider.'
      ]
    },
    token_not_found: { meaning: 'The customer has no token with that id that works.', field: 'tokenId' },
    app_not_found: { meaning: 'There is no connected app with that id that works.', field: 'appId' },
    webhook_not_found: { meaning: 'You have no webhook with that id.', field: 'webhookId' },
    delivery_not_found: { meaning: 'There is no such delivery to send again.', field: 'eventId' },
    api_key_not_found: { meaning: 'You have no API key with that id that still works.', field: 'keyId' },
    provider_key_not_found: {
      meaning: 'No key is set for this provider. Set one first.',
      field: 'provider'
    },
    team_member_not_found: {
      meaning: 'This customer’s team has no member with this id.',
      field: 'teamMemberId',
      nextStep: [
        'Call team_member_list to find the right teamMemberId.',
        'Ask the user whom of the team is meant.'
      ]
    },
    partner_user_not_found: { meaning: 'Your team has nobody with that id.', field: 'partnerUserId' },
    mail_not_found: { meaning: 'No mail of yours has that id.' },
    mind_not_found: {
      meaning: 'This customer has no Mind with this id.',
      field: 'mindId',
      nextStep: [
        'Call memory_list_minds to find the right mindId, or leave mindId out to use the primary Mind.',
        'Leave mindId out to use the primary Mind.'
      ],
      customerStep: 'Leave mindId out to use the primary Mind.'
    },
    memory_not_found: {
      meaning: 'This customer has no memory with this id.',
      field: 'memoryId',
      nextStep: [
        'Call memory_search to find the right memoryId.',
        'Call memory_recall to find the right memoryId.',
        'Ask the user which memory is meant.'
      ],
      customerStep: [
        'Call internal_memory_search to find the right memoryId.',
        'Call internal_memory_recall to find the right memoryId.',
        'Ask the user which memory is meant.'
      ]
    },
    statement_not_found: {
      meaning: 'There is no statement with this id, of yours or of that customer.',
      field: 'statementId',
      nextStep: [
        'Call statement_list to find the right statementId.',
        'Ask the user which statement is meant.'
      ]
    }
  },
  409: {
    wrong_statement_status: {
      meaning: 'The statement is in a state in which this can’t be done. The text says which.',
      example: 'Statement 7 can’t be marked as billed: it is void.'
    },
    deploy_in_progress: {
      meaning: 'A deploy is under way on this server. Wait for its end.',
      nextStep: ['Call instance_deploy_status to see how far it is.', 'Wait some minutes, then call again.']
    },
    agent_not_ready: { meaning: 'No agent is ready on this server: deploy one, or wait for its deploy.' },
    cancelled: { meaning: 'The message was cancelled, or its server removed meanwhile.' },
    agent_not_deployed: {
      meaning: 'No deploy of an agent ever got through there, so there is none to change. Deploy it first.',
      nextStep: 'Call instance_deploy first.'
    },
    reinstall_not_confirmed: {
      meaning: 'The agent is deployed already. Send `confirmReinstall: true` to install it again.',
      example:
        'The agent on Front desk is running. Confirm that it shall be installed again; its history is kept.',
      field: 'confirmReinstall',
      nextStep: 'Ask the user whether to install it again; then send confirmReinstall: true.'
    },
    idempotency_conflict: {
      meaning:
        'This Idempotency-Key was already used with another request. Send a new key for a new request.',
      field: 'Idempotency-Key',
      nextStep: 'Use a new key for a new call.'
    },
    idempotency_in_progress: {
      meaning:
        'The first request with this Idempotency-Key is still running. Send it again in a moment to get its answer.',
      field: 'Idempotency-Key',
      isPassing: true,
      nextStep: 'Wait, then call again with the same key.'
    }
  },
  413: { payload_too_large: { meaning: 'The body is larger than 1 MiB.' } },
  415: {
    unsupported_media_type: { meaning: 'The body is not JSON. Send `Content-Type: application/json`.' }
  },
  429: {
    memory_rate_limited: {
      meaning: 'Too many calls to the memory of this customer. `Retry-After` says when to try again.',
      example: 'The memory of this customer is asked too often. Try again in 12 seconds.',
      isPassing: true,
      nextStep: ['Wait, then call again; memory_recall is not limited.', 'Wait, then call again.'],
      customerStep: 'Wait, then call again; recall is not limited.'
    },
    rate_limited: {
      meaning:
        'Too many requests, too much at once, or mails to one address in a day. Retry after `Retry-After` seconds; nothing was done.',
      example: 'Too many requests. Try again in 12 seconds.',
      isPassing: true,
      nextStep: 'Wait, then call again.'
    }
  },
  500: {
    provider_unavailable: {
      meaning:
        'The voice-agent provider can’t be asked: it is down, slow, limits the account or refuses your key. The same for the AI gateway when a server is removed.',
      example: 'Vapi did not answer in time. Try again later.'
    },
    internal: {
      meaning: 'Something went wrong on our side. Quote the request id if it happens again.',
      nextStep: 'If it happens again, tell the user.'
    }
  },
  502: { agent_error: { meaning: 'The agent failed or said nothing; `reason` may say why.' } },
  503: {
    ssh_unavailable: { meaning: 'The server is away. With `isRunning` the same key and message wait on.' },
    memory_unavailable: {
      meaning:
        'The memory can’t be reached for now; recall still works. `Retry-After` says when to try again.',
      isPassing: true,
      nextStep: ['Wait, then call again; memory_recall still works meanwhile.', 'Wait, then call again.'],
      customerStep: 'Go on without it, and call again later.'
    },
    database_busy: {
      meaning:
        'The database was locked for too long. Retry after `Retry-After` seconds; nothing was changed.',
      example: 'The database is locked by another process. Try again shortly.',
      isPassing: true,
      nextStep: 'Wait a moment, then call again.'
    },
    database_unavailable: {
      meaning: 'The database is away. Retry after `Retry-After` seconds, with the same idempotency key.',
      example: 'The service is not available for the moment. Try again shortly.',
      isPassing: true,
      nextStep: 'Wait a moment, then call again; with the same key, if it had one.'
    }
  },
  504: { agent_timeout: { meaning: 'No reply in 55 s. With `isRunning` the same key and message wait on.' } }
} as const
