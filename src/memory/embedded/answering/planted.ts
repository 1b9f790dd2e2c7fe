// Stored sentences that speak to a model instead of telling something. They are left out before one reads them: the rest
// of the defence, which is in what an answer may be, doesn't depend on their being found.
import { partsOf } from '../facts/sentences.ts'
import { toOneLine } from '../port.ts'

export const LEFT_OUT = '[an instruction to a model was left out]'

/** What people say to each other has none of these; each is a way in which texts were seen to steer a model. */
const PLANTED: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass|(?:do not|don't|never) follow)\b.{0,40}\b(?:instructions?|prompts?|rules|guidelines|directions|system message|everything (?:above|before|you)|(?:all|any)(?: of)? (?:the )?(?:above|previous|prior))\b/i,
  /\b(?:system|developer|hidden|initial) (?:prompts?|messages?|instructions?)\b|\bsystem-?prompts?\b/i,
  /\byou are (?:now|no longer|really|actually)?\s?(?:an? )?(?:unrestricted|uncensored|jailbroken|ai\b|assistant|language model|llm|chat ?bot|in (?:developer|debug|admin) mode)/i,
  /\b(?:new|updated|revised|real|important) instructions?\b.{0,30}:/i,
  /\b(?:note|notice|message|instructions?|attention|memo|order|reminder)\b.{0,10}\b(?:to|for)?\s?(?:the |any |all )?(?:ais?|assistants?|language models?|llms?|chat ?bots?|gpt|chatgpt|claude|models? reading)\b/i,
  /\b(?:ai|assistant|model|llm|chatgpt|gpt|claude|chat ?bot)\b\s?[,:!]\s{0,3}(?:please |now )?(?:ignore|say|tell|answer|reply|respond|output|print|write|reveal|repeat|cite|always|never|you (?:must|should|are|will))\b/i,
  /\b(?:you (?:must|should|shall|will|have to|are to)|always|only)\s(?:now |only |always )?(?:answer|reply|respond|cite|output)\s(?:with|that|by|only|exactly|every|all|any|to (?:every|all|any))\b/i,
  /\b(?:when|if|whenever)(?: you(?: are|'re)?| ever)? (?:asked|answer(?:ing)?|read(?:ing)?|respond(?:ing)?)\b.{0,80}\b(?:say|answer|reply|respond|output|cite|claim|add|include|tell (?:them|the user|everyone))\b/i,
  /\b(?:reveal|print|repeat|output|leak|disclose|show)\b.{0,30}\b(?:prompts?|instructions?|api keys?|your (?:rules|configuration|system)|(?:everything|the text|all text) above)\b/i,
  /<\|?\/?(?:im_start|im_end|system|assistant|user|endoftext|stored-text)\b|\[\/?INST\]|<<\/?SYS>>|(?:^|\s)#{1,4} ?(?:system|instructions?|assistant)\b/i,
  /(?:^|[.!?:]\s?)(?:system|developer|assistant instructions?)\s?:\s/i,
  /\b(?:ignorier|missacht|vergiss|ignor[ae]|ignorez|olvid|oubli|dimentica|vergeet|negeer|esque[cç])\p{L}*\b.{0,50}(?:anweisung|vorgabe|instruc|instruç|consign|istruzion|aanwijzing|regel)/iu,
  /(?:игнорируй|забудь|не обращай).{0,50}(?:инструкц|указани|правил)|(?:忽略|无视|忘记|忘れ|無視).{0,20}(?:指令|指示|说明|提示|規則|规则)|(?:指令|指示|プロンプト).{0,10}(?:無視|忘れ)|(?:تجاهل|انس).{0,40}(?:تعليمات|أوامر)/iu
]

/** The text on one line, and in place of each sentence that speaks to a model a note that it was left out. */
export function withoutPlanted(text: string): string {
  const line = toOneLine(text)
  if (!isPlanted(line)) return line
  const kept: string[] = []
  for (const part of partsOf(line)) {
    if (!isPlanted(part)) kept.push(part)
    else if (kept.at(-1) !== `${LEFT_OUT} `) kept.push(`${LEFT_OUT} `)
  }
  const rest = kept.join('').trim()
  // One that runs over the end of what looked like a sentence.
  return isPlanted(rest.replaceAll(LEFT_OUT, '')) ? LEFT_OUT : rest
}

function isPlanted(text: string): boolean {
  const plain = text.normalize('NFKC').replace(/\p{Cf}/gu, '')
  return PLANTED.some((pattern) => pattern.test(plain))
}
