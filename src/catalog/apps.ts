/** Ids of every app that a partner can deploy or show; a new customer may see all of them. */
export const APP_IDS = ['cli-agent'] as const
