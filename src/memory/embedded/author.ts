import { fold } from './fold.ts'

const CAPITALISED =
  /^\p{Lu}[\p{L}\p{M}'’.-]{0,30}(?: (?:\p{Lu}[\p{L}\p{M}'’.-]{0,30}|d[aeiou]s?|del|van|von|der)){0,3}$/u
/** Where letters have no case: one word, or two or three in Arabic, Hebrew or Hindi. */
const CASELESS = /^\p{Lo}[\p{Lo}\p{M}ー・]{1,11}(?: \p{Lo}[\p{Lo}\p{M}]{1,11}){0,2}$/u
const LONGEST_PREFIX = 100

/** What stands before a colon and is nobody: `Note: …`. */
const LABELS = new Set(
  `address aim answer attention birthday budget caution comment company contact context correction customer date day
  deadline decision description details email e-mail example fact facts fax fw fwd fyi goal hello hi hint http https id
  idea important info issue language link list location meeting memo message mobile n.b name nb note notes number order
  p.s phone plan preference preferences price problem ps q question re reason reminder result role status step subject
  summary task tel telephone time timezone tip title to today todo tomorrow topic update url user warning wichtig
  achtung adresse aufgabe betreff telefon preis datum uhrzeit frage antwort hinweis notiz termin zusammenfassung attention objet resume rappel telephone
  importante asunto nota notas recordatorio direccion telefono correo fecha precio assunto endereco lembrete telefone
  oggetto promemoria indirizzo telefono prezzo data adres afspraak let onderwerp belangrijk заметка внимание важно
  адрес телефон тема вопрос ответ дата цена ملاحظة تنبيه هام العنوان الهاتف الموعد السعر سؤال جواب
  注意 备注 地址 电话 时间 地点 日期 价格 问题 回答 重要 提醒 住所 電話 日時 場所 件名 質問 備考 値段`
    .split(/\s+/)
    .map(fold)
)

/** Tells `Name: what they said` apart; a label, a time or an address is no name. */
export function splitAuthor(content: string): { author: string | null; body: string } {
  const colon = content.slice(0, LONGEST_PREFIX).search(/[:\uff1a]/)
  if (colon < 1) return { author: null, body: content }
  const name = content.slice(0, colon).trim()
  const isWide = content[colon] === '\uff1a'
  const rest = content.slice(colon + 1)
  // `10:30`, `https://…` and `Re:thing` have no blank behind the colon; Chinese and Japanese need none.
  const isSeparated =
    isWide || /^\s/.test(rest) || /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(rest)
  const isName = CAPITALISED.test(name) || CASELESS.test(name)
  const body = rest.trimStart()
  if (!isSeparated || !isName || body === '' || LABELS.has(fold(name))) return { author: null, body: content }
  return { author: name, body }
}
