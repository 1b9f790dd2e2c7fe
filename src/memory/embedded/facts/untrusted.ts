// Memories that are written at a model that obeys, and not about anybody.

const INSTRUCTION =
  /\b(?:ignore|disregard|override|instructions?|prompts?|system message|you (?:must|are|should|will|can|may)|passwords?|passcode|api[- ]?keys?|tokens?|execute|reveal|forget (?:all|everything))\b|[<>{}[\]`|]|https?:/i

/** Whether a value or a name is none, but speaks to the model that will read it. */
export const speaksToModel = (value: string): boolean => INSTRUCTION.test(value)
