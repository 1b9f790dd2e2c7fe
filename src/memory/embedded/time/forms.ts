// How each language speaks of days from where it stands: regular expressions, several of them parted by ` ~ `, with `-`
// where there is no word.
import type { Language } from '../language.ts'

export interface Forms {
  /** From Sunday, as they bend. */
  weekdays: string
  /** From the day before yesterday. */
  days: string
  /** Week, month, year, weekend and the seasons from spring, as the next ones bend. */
  periods: string
  /** Of which week and so on, from two before to two ahead: `P` is a period, `W` a weekday, `X` either. */
  shifts: string
  /** So many units ago, ahead, until now, and gone on for until now: `N` is a number, `U` a unit. */
  counts: string
  /** Days, weeks, months, years and weekends. */
  units: string
  /** From one. */
  numbers: string
  /** Before a month that stands for itself. */
  within: string
  /** Where chrono reads too few: before a clock, behind one, before and after noon. A bare number may be anything. */
  clock?: string
}

const WEEK = '(?:星期|周|週|礼拜|禮拜)'

export const FORMS: Readonly<Record<Language, Forms>> = {
  en: {
    weekdays:
      'Sun(?:day)? Mon(?:day)? Tue(?:sday|s)? Wed(?:nesday)? Thu(?:rsday|rs|r)? Fri(?:day)? Sat(?:urday)?',
    days: 'the day before yesterday ~ yesterday|last night ~ today|tonight|this (?:morning|afternoon|evening) ~ tomorrow ~ the day after tomorrow',
    periods: 'week month year weekend spring summer (?:autumn|fall) winter',
    shifts:
      'the P before last ~ last X|(?:this )?past (?:W|month|weekend|summer|winter)|over the weekend ~ this X|(?:this )?coming W ~ next X ~ the P after next',
    counts:
      'N U ago ~ in N U|N U from now ~ (?:in|during|over|within) the (?:last|past) N U|the (?:last|past) N U ~ (?<!(?:almost|nearly|under) )N U now',
    units: 'days? weeks? months? years? weekends?',
    numbers:
      '(?<!half.)an?|one (?:a.)?couple(?:.of)?|two (?:a.)?few|three four five six seven eight nine ten eleven twelve',
    within: 'in|during|since|until|by|from|of|early|late|mid|before|after'
  },
  de: {
    weekdays: 'Sonntag Montag Dienstag Mittwoch Donnerstag Freitag (?:Samstag|Sonnabend)',
    days: 'vorgestern ~ gestern(?: Morgen)? ~ heute(?: Morgen| früh)? ~ (?<!(?:am|jeden|guten|diesen|jeder) )morgen(?: früh)? ~ übermorgen',
    periods: 'Woche Monats? Jahr(?:es)? Wochenendes? Frühlings? Sommers? Herbste?s? Winters?',
    shifts:
      'vorletzte[nmrs]? P ~ (?:letzt|vergangen|vorig)e[nmrs]? X ~ diese[nmrs]? X ~ (?:nächst|kommend)e[nmrs]? X ~ übernächste[nmrs]? P',
    counts:
      'vor N U ~ in N U ~ (?:in|während) den (?:letzten|vergangenen) N U|(?:die|der) (?:letzten|vergangenen) N U ~ seit (?:nun|jetzt|schon|bereits) N U',
    units: 'Tage?n? Wochen? Monate?n? Jahre?n? Wochenenden?',
    numbers: 'eine?[nmr]? zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
    within: 'im|in|seit|bis|ab|vom|von|Anfang|Ende|Mitte',
    clock: 'um|gegen|ab ~ Uhr ~ morgens|vormittags|früh ~ nachmittags|abends'
  },
  es: {
    weekdays: 'domingo lunes martes mi[ée]rcoles jueves viernes s[áa]bado',
    days: 'anteayer|antes de ayer|antier ~ ayer|anoche ~ hoy|esta (?:mañana|tarde|noche) ~ (?<!(?:por|de|en|a|esta) la |una |cada |esta |pasado )mañana ~ pasado mañana',
    periods: 'semana mes año fin.de.semana primavera verano otoño invierno',
    shifts:
      'X antepasad[oa] ~ X pasad[oa]|pasad[oa] X ~ est[ea] X ~ próxim[oa] X|X (?:que viene|próxim[oa]|entrante)|semana siguiente ~ -',
    counts:
      'hace N U|N U atrás ~ (?:en|dentro de) N U ~ (?:en|durante) l[oa]s (?:últim[oa]s|pasad[oa]s) N U|l[oa]s últim[oa]s N U ~ (?:desde hace|ya llev[oa]) N U',
    units: 'días? semanas? mes(?:es)? años? fin(?:es)?.de.semana',
    numbers: 'una? dos tres cuatro cinco seis siete ocho nueve diez once doce',
    within: 'en|desde|hasta|durante|a.principios.de|a.finales.de',
    clock:
      'a las?|las ~ h|hs|hrs?|horas?| ~ de la (?:mañana|madrugada)|a\\.? ?m\\.? ~ de la (?:tarde|noche)|p\\.? ?m\\.?'
  },
  fr: {
    weekdays: 'dimanche lundi mardi mercredi jeudi vendredi samedi',
    days: "avant-hier ~ (?<!avant-)hier ~ aujourd['’]hui|ce (?:matin|soir)|cet après-midi ~ (?<!après-)demain ~ après-demain",
    periods: 'semaine mois an(?:née)? week-?end printemps été automne hiver',
    shifts:
      'avant-dernière? P ~ X derni(?:er|ère)|P passée?|dernier W ~ ce(?:tte)? X(?:-ci)? ~ X prochaine?|prochaine? X|semaine suivante ~ -',
    counts:
      "il y a N U ~ dans N U|d[’']ici N U ~ (?:au cours des|pendant les|ces|les|dans les) N derni(?:ers|ères) U|(?:ces|les) N U derni(?:ers|ères) ~ depuis N U (?:maintenant|déjà)|depuis déjà N U",
    units: 'jours? semaines? mois an(?:née)?s? week-?ends?',
    numbers: 'une? deux trois quatre cinq six sept huit neuf dix onze douze',
    within: "en|au.mois.d[e’']|d[’']|depuis|jusqu[’']en|dès|courant|début|fin|mi",
    clock: 'à|vers|dès ~ h|heures? ~ du matin ~ du soir|de l.après-midi'
  },
  pt: {
    weekdays:
      'domingo segunda(?:-feira|(?!.(?:via|vez|parte))) terça(?:-feira)? quarta(?:-feira)? quinta(?:-feira)? sexta(?:-feira)? sábado',
    days: 'anteontem ~ ontem ~ hoje ~ (?<!depois de )amanhã ~ depois de amanhã',
    periods: 'semana m[êe]s ano fim.de.semana primavera verão outono inverno',
    shifts:
      'P retrasad[oa] ~ (?:n?[oa] )?X passad[ao]|n?a última semana|(?:últim|passad)[ao] W ~ n?est[ae] X ~ próxim[ao] X|X que vem|semana seguinte ~ -',
    counts:
      '(?:há|faz) N U|N U atrás ~ (?:daqui a|dentro de|em) N U ~ (?:n[oa]s|durante [oa]s) (?:últim[oa]s) N U ~ já (?:há|faz) N U',
    units: 'dias? semanas? m[êe]s(?:es)? anos? fi(?:m|ns).de.semana',
    numbers: 'uma? (?:dois|duas) três quatro cinco seis sete oito nove dez onze doze',
    within: 'em|desde|até|durante|no.início.de|no.fim.de',
    clock: 'às|à|pelas ~ h|hs|hrs?|horas?| ~ da (?:manhã|madrugada) ~ da (?:tarde|noite)'
  },
  it: {
    weekdays: 'domenica lunedì martedì mercoledì giovedì venerdì sabato',
    days: "l['’]altro ieri|altroieri|ieri l['’]altro ~ (?<!altro )ieri ~ oggi|stasera|stamattina|stanotte ~ domani ~ dopodomani",
    periods: 'settimana mese anno weekend primavera estate autunno inverno',
    shifts: "- ~ scors[oa] X|X scors[oa] ~ quest(?:[oa] |['’])X ~ prossim[oa] X|X prossim[oa] ~ -",
    counts:
      'N U fa ~ [tf]ra N U ~ negli ultimi N U|nelle ultime N U ~ (?:ormai|già) da N U|da (?:ormai|già) N U',
    units: 'giorn[oi] settiman[ae] mes[ei] ann[oi]',
    numbers: 'un[oa]? due tre quattro cinque sei sette otto nove dieci undici dodici',
    within: 'a|ad|in|nel.mese.di|da|dal|fino.a|entro',
    clock: 'alle|dalle|ore ~ h| ~ di mattina|del mattino ~ del pomeriggio|di sera'
  },
  nl: {
    weekdays: 'zondag maandag dinsdag woensdag donderdag vrijdag zaterdag',
    days: 'eergisteren ~ gisteren|gisteravond|vannacht ~ vandaag|vanavond|vanmiddag|vanochtend|vanmorgen ~ (?<!(?:goede|elke|iedere) )morgen ~ overmorgen',
    periods: 'week maand jaar weekend lente zomer herfst winter',
    shifts:
      '- ~ (?:vorige?|afgelopen) X ~ (?:deze|dit) X ~ (?:volgende?|komende?|aanstaande) X|W aanstaande ~ -',
    counts: 'N U geleden ~ over N U ~ (?:in )?de (?:afgelopen|laatste) N U ~ (?:nu al|al|inmiddels) N U',
    units: 'dag(?:en)? we(?:ek|ken) maand(?:en)? ja(?:ar|ren) weekend(?:en|s)?',
    numbers: 'een|één twee drie vier vijf zes zeven acht negen tien elf twaalf',
    within: 'in|sinds|tot|vanaf|begin|eind'
  },
  ru: {
    weekdays: 'воскресенье понедельник вторник сред[ауы] четверг пятниц[ауы] суббот[ауы]',
    days: 'позавчера ~ вчера ~ сегодня ~ завтра ~ послезавтра',
    periods: 'недел[еюи] месяце? году? выходны[ех] весн[уыао]й? лет[оа]м? осень?ю? зим[уыао]й?',
    shifts:
      'позапрошл(?:ый|ую|ое|ой|ом|ого) P ~ (?:прошл|минувш)(?:ый|ий|ую|ое|ее|ой|ей|ом|ем) X ~ эт(?:от|у|о|ой|ом) X ~ (?:следующ|ближайш|будущ)(?:ий|ую|ее|ей|ем) X ~ -',
    counts: 'N U назад ~ через N U ~ за (?:последние|прошедшие) N U ~ уже N U',
    units: '(?:день|дня|дней) недел[юиь] месяц(?:а|ев)? (?:год[а]?|лет)',
    numbers: 'один|одну|одно дв[ае] три четыре пять шесть семь восемь девять десять одиннадцать двенадцать',
    within: 'в|с|до|за|начале|конце|середине',
    clock: 'во?|к|с|на ~ час(?:а|ов)?|ч ~ утра|ночи ~ дня|вечера'
  },
  ar: {
    weekdays: 'الأحد ال[اإ]ثنين الثلاثاء الأربعاء الخميس الجمعة السبت',
    days: '[أا]ول [أا]مس ~ (?<!ول )[أا]مس|البارحة ~ (?<!هذا )اليوم|الليلة ~ (?<!بعد )غد[ًا]{0,2} ~ بعد غد',
    periods: 'الأسبوع الشهر (?:العام|السنة) (?!) الربيع الصيف الخريف الشتاء',
    shifts: '- ~ (?:يوم )?X الماضية? ~ هذ[اه] X ~ (?:يوم )?X (?:القادم|المقبل)ة? ~ -',
    counts:
      '(?:قبل|منذ) N U|(?:قبل|منذ) U ~ بعد N U|بعد U ~ (?:خلال|في) ال?U ال?N (?:الماضية|الأخيرة)|(?:خلال|في) آخر N U',
    units:
      '(?:يوم(?:ين)?|أيام) (?:أسبوع(?:ين)?|أسابيع) (?:شهر(?:ين)?|أشهر|شهور) (?:سنة|سنتين|سنوات|عام(?:ين)?)',
    numbers: 'واحد اثن(?:ين|ان) ثلاثة?|ثلاث أربعة? خمسة? ستة? سبعة? ثماني(?:ة)? تسعة? عشرة?',
    within: 'في|خلال|منذ|حتى',
    clock: 'الساعة|على الساعة ~ تماما| ~ صباحا?ً? ~ مساءً?|عصرا?ً?|ظهرا?ً?'
  },
  ja: {
    weekdays: '日曜日? 月曜日? 火曜日? 水曜日? 木曜日? 金曜日? 土曜日?',
    days: '一昨日|おととい ~ (?<!一)昨日|昨夜|昨晩|きのう ~ 今日(?!子)|本日|今晩|今夜|今朝|今夕 ~ 明日(?!香)|あした|明朝|明晩 ~ 明後日|あさって',
    periods: '週 月 (?<=[昨去今本来])年',
    shifts:
      '先々週 ~ 先P|[昨去]P|(?:前|この前|この間)のW ~ 今P|本年|この(?:次の)?W ~ (?<!再)来P|(?:次|今度)の?W ~ 再来P',
    counts: 'NU前(?!後) ~ NU後 ~ (?:過去|この|ここ)NU間?',
    units: '日 週間 [かヶカケ]月 年',
    numbers: '一 二 三 四 五 六 七 八 九 十 十一 十二',
    within: ''
  },
  zh: {
    weekdays: `${WEEK}[日天] ${WEEK}一 ${WEEK}二 ${WEEK}三 ${WEEK}四 ${WEEK}五 ${WEEK}六`,
    days: '前天 ~ 昨天|昨晚 ~ 今天|今晚|今早 ~ 明天|明早|明晚 ~ 后天|後天',
    periods: `(?:${WEEK}|(?=${WEEK})) 月 (?<=[去今明])年`,
    shifts:
      '- ~ 上[个個]?P|去年|上一[个個]W ~ [这這本][个個]?P|今年|即将到来的W ~ (?<!下)下[个個]?P|明年|下一[个個]W ~ 下下[个個]?P',
    counts: 'NU以?前 ~ NU[后後]|NU以[后後] ~ (?:过去|過去|最近|近)NU',
    units: `[天日] [个個]?${WEEK} [个個]月 年`,
    numbers: '一 [二两兩] 三 四 五 六 七 八 九 十 十一 十二',
    within: ''
  }
}
