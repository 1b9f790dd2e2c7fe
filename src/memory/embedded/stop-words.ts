// Words that stand in any text, and so find nothing. By language: the libraries' lists with what they lack of the way
// people talk, or lists of ours where they hold words that people ask for (`trabajo`, `سنة`).
import { stopwords as dutch } from '@orama/stopwords/dutch'
import { stopwords as english } from '@orama/stopwords/english'
import { stopwords as french } from '@orama/stopwords/french'
import { stopwords as german } from '@orama/stopwords/german'
import { stopwords as italian } from '@orama/stopwords/italian'
import { stopwords as japanese } from '@orama/stopwords/japanese'
import { stopwords as portuguese } from '@orama/stopwords/portuguese'
import { stopwords as russian } from '@orama/stopwords/russian'
import { wordList, wordSet } from './word-lists.ts'

/** Without what people ask for. */
const emptyRussian = russian.filter((word) => !wordList('человек жизнь хорошо сегодня').includes(word))

const sets = {
  en: wordSet(`${english.join(' ')}
a ain't also ever gonna gotta hello hey hi just many much really thank thanks wanna wow yeah yep yes`),
  es: wordSet(`
a al algo alguna algunas alguno algunos ante antes aquel aquella aquellas aquello aquellos aquí así aun aunque cada como
cómo con contra cual cuál cuales cuáles cualquier cuando cuándo cuanta cuánta cuantas cuántas cuanto cuánto cuantos
cuántos de del desde donde dónde durante e el él ella ellas ello ellos en entre era eran eras eres es esa esas ese eso
esos esta está estaba estaban estado estamos están estar estará estas estás este esto estos estoy estuvo fue fuera
fueron fui fuimos ha haber había habían habrá han has hasta hay haya he hemos hubo la las le les lo los más me mi mí mía
mías mío míos mis mucha muchas mucho muchos muy nada ni no nos nosotras nosotros nuestra nuestras nuestro nuestros o os
otra otras otro otros para pero poco por porque pues que qué quien quién quienes quiénes se sea sean ser será si sí sido
siendo sin sino sobre sois somos son soy su sus suya suyas suyo suyos también tampoco tan tanto te ti tu tú tus tuve
tuvo tuya tuyo u un una unas uno unos usted ustedes vosotros vuestra vuestro y ya yo`),
  fr: wordSet(`${french.join(' ')}
a où être avoir ça comment combien pourquoi quand dont depuis lorsque aussi très`),
  de: wordSet(`${german.join(' ')}
wann wer wem wen wessen wieso warum wohin woher womit wofür wozu worden wurde wurden hast habt seid dass
bitte beim hätte`),
  pt: wordSet(`${portuguese.join(' ')}
onde quais quanto quantos quanta quantas porque porquê quê é ser ter`),
  it: wordSet(`${italian.join(' ')}
cosa quando quali già poi`),
  nl: wordSet(`${dutch.join(' ')}
waar wanneer waarom waarvoor waarover waarmee welk welke wiens wij we jij jullie hoeveel bent hebt onze
wel af s t`),
  ru: wordSet(`${emptyRussian.join(' ')}
какое какие какую каких чей чья чье чьё чьи сколько почему кому чему кем это твой твоя наш наша ваш ваша`),
  ar: wordSet(`
من إلى الى في فى على عن مع بعد قبل عند منذ حتى بين خلال لدى حول دون غير ضد هذا هذه ذلك تلك هؤلاء أولئك الذي التي الذين
اللذان اللواتي ما ماذا من متى أين كيف كم لماذا لمن ممن هل أي أية أم أو او و ف ثم لكن بل لا لم لن ليس ليست إن أن ان إنه
أنه أنها إذا اذا لو قد لقد سوف كان كانت كانوا يكون تكون كل بعض أنا أنت أنتم نحن هو هي هم هن هما له لها لهم لي لك لنا به
بها بهم فيه فيها منه منها عليه عليها إليه إليها عنه عنها هنا هناك كما مثل أيضا فقط جدا يا نعم كذلك ذا عندما حيث`),
  zh: wordSet(`
的 了 吗 呢 吧 啊 呀 嘛 哦 嗯 是 在 有 和 与 或 跟 及 我 你 您 他 她 它 我们 你们 他们 她们 它们 咱们 自己 这 那 哪 这个
那个 哪个 哪些 这些 那些 这里 那里 哪里 哪儿 谁 什么 怎么 怎样 怎么样 为什么 多少 几 几个 几位 几名 几次 何时 时候 就 都
也 还 又 很 太 更 最 不 没 没有 会 能 可以 要 把 被 给 对 从 到 向 往 为 为了 因为 所以 但 但是 如果 而 而且 以 以及 一
个 一个 些 等 着 过 地 得 之 其 此 该 某 每 请 请问 是否 已经 曾经 正在 将 再 才 只`),
  ja: wordSet(`${japanese.join(' ')}
まし ました ません でし でした てい って よ ね わ さん ちゃん くん 様 さま 誰 いつ どう どれ どちら
なぜ いくつ いくら くらい ぐらい 何人 何時 そう ください くれ もらっ しまっ ござい`)
}

type Language = keyof typeof sets

/** Of no language, so that they tell none. */
const ANYWHERE = wordSet('ok okay oké oh ah http https www')

export const stopWordsOf = (language: Language): ReadonlySet<string> => sets[language]

export const isStopWord = (word: string, language: Language): boolean =>
  sets[language].has(word) || ANYWHERE.has(word)
