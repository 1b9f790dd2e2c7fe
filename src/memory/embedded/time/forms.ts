// How each language speaks of days from where it stands. Regular expressions, in which `W` is a weekday, `N` a number
// and `U` a unit of time.
import type { Language } from '../language.ts'

export interface Forms {
  /** From Sunday, as they bend. */
  weekdays: string
  /** From two before to two ahead, `-` where there is no word. */
  days: string
  weeks: string
  weekends?: string
  months: string
  years: string
  next: string
  coming: string
  last: string
  /** Between a weekday and its week: `Friday of next week`. */
  link: string
  ahead: string
  ago: string
  /** So many units until now. */
  lately: string
  /** Days, weeks, months and years. */
  units: string
  /** From one. */
  numbers: string
  /** Before a month that stands for itself. */
  within: string
  /** Where chrono reads too few; `isMarked` where a bare number may be anything. */
  clock?: { at: string; unit: string; isMarked?: boolean; am: string; pm: string }
}

export const FORMS: Readonly<Record<Language, Forms>> = {
  en: {
    weekdays:
      'Sun(?:day)? Mon(?:day)? Tue(?:sday|s)? Wed(?:nesday)? Thu(?:rsday|rs|r)? Fri(?:day)? Sat(?:urday)?',
    days: 'the day before yesterday ~ yesterday|last night ~ today|tonight|this (?:morning|afternoon|evening) ~ tomorrow ~ the day after tomorrow',
    weeks: '- ~ last week ~ this week ~ next week ~ the week after next',
    weekends: '- ~ (?:last|this past|over the) weekend ~ this weekend ~ next weekend ~ -',
    months: '- ~ (?:last|past) month ~ this month ~ next month ~ -',
    years: '- ~ last year ~ this year ~ next year ~ -',
    next: 'next W',
    coming: '(?:this|coming|this coming) W',
    last: '(?:last|past|this past) W',
    link: ' (?:of |on )?',
    ahead: 'in N U|N U from now',
    ago: 'N U ago',
    lately: '(?:in|during|over|within) the (?:last|past) N U|the (?:last|past) N U',
    units: 'days? weeks? months? years?',
    numbers:
      '(?<!half.)an?|one (?:a.)?couple(?:.of)?|two (?:a.)?few|three four five six seven eight nine ten eleven twelve',
    within: 'in|during|since|until|by|from|of|early|late|mid|before|after'
  },
  de: {
    weekdays: 'Sonntag Montag Dienstag Mittwoch Donnerstag Freitag (?:Samstag|Sonnabend)',
    days: 'vorgestern ~ gestern(?: Morgen)? ~ heute(?: Morgen| früh)? ~ (?<!(?:am|jeden|guten|diesen|jeder) )morgen(?: früh)? ~ übermorgen',
    weeks:
      '- ~ (?:letzte|vergangene|vorige)[rn]? Woche ~ diese[rn]? Woche ~ (?:nächste|kommende)[rn]? Woche ~ übernächste[rn]? Woche',
    weekends:
      '- ~ (?:letzt|vergangen)e[sn] Wochenende ~ diese[sm] Wochenende ~ (?:nächst|kommend)e[sn] Wochenende ~ -',
    months:
      '- ~ (?:letzt|vergangen|vorig)e[nmr] Monat ~ diese[nmrs] Monats? ~ (?:nächst|kommend)e[nmr] Monat ~ -',
    years: '- ~ (?:letzt|vergangen|vorig)e[sn] Jahr ~ diese[sm] Jahr ~ (?:nächst|kommend)e[sn] Jahr ~ -',
    next: '(?:nächst|kommend)e[nmr] W',
    coming: 'diese[nmr] W',
    last: '(?:letzt|vergangen|vorig)e[nmr] W',
    link: ',? (?:am |der )?',
    ahead: 'in N U',
    ago: 'vor N U',
    lately: '(?:in|während) den (?:letzten|vergangenen) N U|(?:die|der) (?:letzten|vergangenen) N U',
    units: 'Tage?n? Wochen? Monate?n? Jahre?n?',
    numbers: 'eine?[nmr]? zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
    within: 'im|in|seit|bis|ab|vom|von|Anfang|Ende|Mitte',
    clock: {
      at: 'um|gegen|ab',
      unit: 'Uhr',
      isMarked: true,
      am: 'morgens|vormittags|früh',
      pm: 'nachmittags|abends'
    }
  },
  es: {
    weekdays: 'domingo lunes martes mi[ée]rcoles jueves viernes s[áa]bado',
    days: 'anteayer|antes de ayer|antier ~ ayer|anoche ~ hoy|esta (?:mañana|tarde|noche) ~ (?<!(?:por|de|en|a|esta) la |una |cada |esta |pasado )mañana ~ pasado mañana',
    weeks:
      '- ~ la semana pasada|la pasada semana ~ esta semana ~ (?:la )?(?:próxima semana|semana (?:que viene|próxima|siguiente|entrante)) ~ -',
    weekends:
      '- ~ el fin de semana pasado ~ este fin de semana ~ el (?:próximo fin de semana|fin de semana que viene) ~ -',
    months:
      '- ~ el mes pasado|el pasado mes ~ este mes ~ el (?:mes (?:que viene|próximo|entrante)|próximo mes) ~ -',
    years: '- ~ el año pasado|el pasado año ~ este año ~ el (?:año (?:que viene|próximo)|próximo año) ~ -',
    next: 'próximo W|W (?:que viene|próximo)',
    coming: 'este W',
    last: 'W pasado|pasado W',
    link: ' (?:de )?(?:el )?',
    ahead: '(?:en|dentro de) N U',
    ago: 'hace N U|N U atrás',
    lately: '(?:en|durante) l[oa]s (?:últim[oa]s|pasad[oa]s) N U|l[oa]s últim[oa]s N U',
    units: 'días? semanas? mes(?:es)? años?',
    numbers: 'una? dos tres cuatro cinco seis siete ocho nueve diez once doce',
    within: 'en|desde|hasta|durante|a.principios.de|a.finales.de',
    clock: {
      at: 'a las?|las',
      unit: 'h|hs|hrs?|horas?',
      am: 'de la (?:mañana|madrugada)|a\\.? ?m\\.?',
      pm: 'de la (?:tarde|noche)|p\\.? ?m\\.?'
    }
  },
  fr: {
    weekdays: 'dimanche lundi mardi mercredi jeudi vendredi samedi',
    days: "avant-hier ~ (?<!avant-)hier ~ aujourd['’]hui|ce (?:matin|soir)|cet après-midi ~ (?<!après-)demain ~ après-demain",
    weeks:
      '- ~ la semaine (?:dernière|passée) ~ cette semaine ~ (?:la )?(?:semaine (?:prochaine|suivante)|prochaine semaine) ~ -',
    weekends: '- ~ le week-?end dernier ~ ce week-?end ~ le week-?end prochain ~ -',
    months: '- ~ le mois (?:dernier|passé) ~ ce mois(?:-ci)? ~ le mois prochain|le prochain mois ~ -',
    years:
      "- ~ l['’](?:année dernière|an dernier|année passée) ~ cette année ~ l['’](?:année prochaine|an prochain) ~ -",
    next: 'W prochain|prochain W',
    coming: 'ce W',
    last: 'W dernier|dernier W',
    link: ' (?:de )?',
    ahead: "dans N U|d[’']ici N U",
    ago: 'il y a N U',
    lately:
      '(?:au cours des|pendant les|ces|les|dans les) N derni(?:ers|ères) U|(?:ces|les) N U derni(?:ers|ères)',
    units: 'jours? semaines? mois an(?:née)?s?',
    numbers: 'une? deux trois quatre cinq six sept huit neuf dix onze douze',
    within: "en|au.mois.d[e’']|d[’']|depuis|jusqu[’']en|dès|courant|début|fin|mi",
    clock: {
      at: 'à|vers|dès',
      unit: 'h|heures?',
      isMarked: true,
      am: 'du matin',
      pm: 'du soir|de l.après-midi'
    }
  },
  pt: {
    weekdays:
      'domingo segunda(?:-feira|(?!.(?:via|vez|parte))) terça(?:-feira)? quarta(?:-feira)? quinta(?:-feira)? sexta(?:-feira)? sábado',
    days: 'anteontem ~ ontem ~ hoje ~ (?<!depois de )amanhã ~ depois de amanhã',
    weeks:
      '- ~ (?:na|a) (?:semana passada|última semana) ~ (?:n?esta) semana ~ (?:na |a )?(?:próxima semana|semana que vem|semana seguinte) ~ -',
    weekends:
      '- ~ (?:no|o) fim de semana passado ~ n?este fim de semana ~ (?:no|o) (?:próximo fim de semana|fim de semana que vem) ~ -',
    months: '- ~ [no]o? mês passado ~ n?este mês ~ (?:no|o) (?:mês que vem|próximo mês) ~ -',
    years: '- ~ (?:no|o) ano passado ~ n?este ano ~ (?:no|o) (?:ano que vem|próximo ano) ~ -',
    next: 'próxim[ao] W|W que vem',
    coming: 'n?est[ae] W',
    last: 'W passad[ao]|(?:últim|passad)[ao] W',
    link: ' (?:d?a )?',
    ahead: '(?:daqui a|dentro de|em) N U',
    ago: '(?:há|faz) N U|N U atrás',
    lately: '(?:n[oa]s|durante [oa]s) (?:últim[oa]s) N U',
    units: 'dias? semanas? m[êe]s(?:es)? anos?',
    numbers: 'uma? (?:dois|duas) três quatro cinco seis sete oito nove dez onze doze',
    within: 'em|desde|até|durante|no.início.de|no.fim.de',
    clock: {
      at: 'às|à|pelas',
      unit: 'h|hs|hrs?|horas?',
      am: 'da (?:manhã|madrugada)',
      pm: 'da (?:tarde|noite)'
    }
  },
  it: {
    weekdays: 'domenica lunedì martedì mercoledì giovedì venerdì sabato',
    days: "l['’]altro ieri|altroieri|ieri l['’]altro ~ (?<!altro )ieri ~ oggi|stasera|stamattina|stanotte ~ domani ~ dopodomani",
    weeks:
      '- ~ la (?:settimana scorsa|scorsa settimana) ~ questa settimana ~ la (?:prossima settimana|settimana prossima) ~ -',
    weekends:
      '- ~ (?:lo scorso weekend|il weekend scorso) ~ questo weekend ~ il (?:prossimo weekend|weekend prossimo) ~ -',
    months: '- ~ (?:il mese scorso|lo scorso mese) ~ questo mese ~ il (?:prossimo mese|mese prossimo) ~ -',
    years: "- ~ l['’]anno scorso|lo scorso anno ~ quest['’]anno ~ l['’]anno prossimo|il prossimo anno ~ -",
    next: '(?:prossim[oa] W|W prossim[oa])',
    coming: "quest(?:[oa] |['’])W",
    last: '(?:scors[oa] W|W scors[oa])',
    link: ' (?:del)?',
    ahead: '[tf]ra N U',
    ago: 'N U fa',
    lately: 'negli ultimi N U|nelle ultime N U',
    units: 'giorn[oi] settiman[ae] mes[ei] ann[oi]',
    numbers: 'un[oa]? due tre quattro cinque sei sette otto nove dieci undici dodici',
    within: 'a|ad|in|nel.mese.di|da|dal|fino.a|entro',
    clock: { at: 'alle|dalle|ore', unit: 'h', am: 'di mattina|del mattino', pm: 'del pomeriggio|di sera' }
  },
  nl: {
    weekdays: 'zondag maandag dinsdag woensdag donderdag vrijdag zaterdag',
    days: 'eergisteren ~ gisteren|gisteravond|vannacht ~ vandaag|vanavond|vanmiddag|vanochtend|vanmorgen ~ (?<!(?:goede|elke|iedere) )morgen ~ overmorgen',
    weeks: '- ~ (?:vorige|afgelopen) week ~ deze week ~ (?:volgende|komende) week ~ -',
    weekends: '- ~ (?:afgelopen|vorig) weekend ~ dit weekend ~ (?:volgend|komend) weekend ~ -',
    months: '- ~ (?:vorige|afgelopen) maand ~ deze maand ~ (?:volgende|komende) maand ~ -',
    years: '- ~ (?:vorig|afgelopen) jaar ~ dit jaar ~ (?:volgend|komend) jaar ~ -',
    next: '(?:volgende|aanstaande|komende) W|W aanstaande',
    coming: 'deze W',
    last: '(?:vorige|afgelopen) W',
    link: ' (?:op |van )?',
    ahead: 'over N U',
    ago: 'N U geleden',
    lately: '(?:in )?de (?:afgelopen|laatste) N U',
    units: 'dag(?:en)? we(?:ek|ken) maand(?:en)? ja(?:ar|ren)',
    numbers: 'een|één twee drie vier vijf zes zeven acht negen tien elf twaalf',
    within: 'in|sinds|tot|vanaf|begin|eind'
  },
  ru: {
    weekdays: 'воскресенье понедельник вторник сред[ауы] четверг пятниц[ауы] суббот[ауы]',
    days: 'позавчера ~ вчера ~ сегодня ~ завтра ~ послезавтра',
    weeks:
      '- ~ на (?:прошлой|минувшей) неделе ~ на этой неделе ~ на (?:следующей|будущей) неделе|(?:со|до) следующей недели ~ -',
    months: '- ~ в прошлом месяце ~ в этом месяце ~ в (?:следующем|будущем) месяце ~ -',
    years: '- ~ в прошлом году ~ в этом году ~ в (?:следующем|будущем) году ~ -',
    next: '(?:во? )?(?:следующ(?:ий|ую|ее)|ближайш(?:ий|ую|ее)|будущ(?:ий|ую|ее)) W',
    coming: '(?:во? )?эт(?:от|у|о) W',
    last: '(?:во? )?(?:прошл|минувш)(?:ый|ую|ое|ий|ее) W',
    link: ' (?:в |во )?',
    ahead: 'через N U',
    ago: 'N U назад',
    lately: 'за (?:последние|прошедшие) N U',
    units: '(?:день|дня|дней) недел[юиь] месяц(?:а|ев)? (?:год[а]?|лет)',
    numbers: 'один|одну|одно дв[ае] три четыре пять шесть семь восемь девять десять одиннадцать двенадцать',
    within: 'в|с|до|за|начале|конце|середине',
    clock: { at: 'во?|к|с|на', unit: 'час(?:а|ов)?|ч', isMarked: true, am: 'утра|ночи', pm: 'дня|вечера' }
  },
  ar: {
    weekdays: 'الأحد ال[اإ]ثنين الثلاثاء الأربعاء الخميس الجمعة السبت',
    days: '[أا]ول [أا]مس ~ (?<!ول )[أا]مس|البارحة ~ (?<!هذا )اليوم|الليلة ~ (?<!بعد )غد[ًا]{0,2} ~ بعد غد',
    weeks: '- ~ الأسبوع الماضي ~ هذا الأسبوع ~ الأسبوع (?:القادم|المقبل) ~ -',
    months: '- ~ الشهر الماضي ~ هذا الشهر ~ الشهر (?:القادم|المقبل) ~ -',
    years:
      '- ~ (?:العام الماضي|السنة الماضية) ~ هذا العام|هذه السنة ~ العام (?:القادم|المقبل)|السنة القادمة ~ -',
    next: '(?:يوم )?W (?:القادم|المقبل)',
    coming: 'هذا W',
    last: '(?:يوم )?W الماضي',
    link: ' (?:من )?',
    ahead: 'بعد N U|بعد U',
    ago: '(?:قبل|منذ) N U|(?:قبل|منذ) U',
    lately: '(?:خلال|في) ال?U ال?N (?:الماضية|الأخيرة)|(?:خلال|في) آخر N U',
    units:
      '(?:يوم(?:ين)?|أيام) (?:أسبوع(?:ين)?|أسابيع) (?:شهر(?:ين)?|أشهر|شهور) (?:سنة|سنتين|سنوات|عام(?:ين)?)',
    numbers: 'واحد اثن(?:ين|ان) ثلاثة?|ثلاث أربعة? خمسة? ستة? سبعة? ثماني(?:ة)? تسعة? عشرة?',
    within: 'في|خلال|منذ|حتى',
    clock: { at: 'الساعة|على الساعة', unit: 'تماما', am: 'صباحا?ً?', pm: 'مساءً?|عصرا?ً?|ظهرا?ً?' }
  },
  ja: {
    weekdays: '日曜日? 月曜日? 火曜日? 水曜日? 木曜日? 金曜日? 土曜日?',
    days: '一昨日|おととい ~ (?<!一)昨日|昨夜|昨晩|きのう ~ 今日(?!子)|本日|今晩|今夜|今朝|今夕 ~ 明日(?!香)|あした|明朝|明晩 ~ 明後日|あさって',
    weeks: '先々週 ~ 先週 ~ 今週 ~ (?<!再)来週 ~ 再来週',
    months: '- ~ 先月 ~ 今月 ~ (?<!再)来月 ~ 再来月',
    years: '- ~ 昨年|去年 ~ 今年|本年 ~ (?<!再)来年 ~ -',
    next: '(?:次|今度)の?W',
    coming: 'この(?:次の)?W',
    last: '(?:前|この前|この間)のW',
    link: 'の?',
    ahead: 'NU後',
    ago: 'NU前(?!後)',
    lately: '(?:過去|この|ここ)NU間?',
    units: '日 週間 [かヶカケ]月 年',
    numbers: '一 二 三 四 五 六 七 八 九 十 十一 十二',
    within: ''
  },
  zh: {
    weekdays:
      '(?:星期|周|週|礼拜|禮拜)[日天] (?:星期|周|週|礼拜|禮拜)一 (?:星期|周|週|礼拜|禮拜)二 (?:星期|周|週|礼拜|禮拜)三 (?:星期|周|週|礼拜|禮拜)四 (?:星期|周|週|礼拜|禮拜)五 (?:星期|周|週|礼拜|禮拜)六',
    days: '前天 ~ 昨天|昨晚 ~ 今天|今晚|今早 ~ 明天|明早|明晚 ~ 后天|後天',
    weeks:
      '- ~ 上[个個]?(?:星期|周|週|礼拜|(?=星期|周|週|礼拜)) ~ [这這本][个個]?(?:星期|周|週|礼拜|(?=星期|周|週|礼拜)) ~ (?<!下)下[个個]?(?:星期|周|週|礼拜|(?=星期|周|週|礼拜)) ~ 下下[个個]?(?:星期|周|週|礼拜|(?=星期|周|週|礼拜))',
    months: '- ~ 上[个個]?月 ~ [这這本][个個]?月 ~ (?<!下)下[个個]?月 ~ -',
    years: '- ~ 去年 ~ 今年 ~ 明年 ~ -',
    next: '下一[个個]W',
    coming: '即将到来的W',
    last: '上一[个個]W',
    link: '的?',
    ahead: 'NU[后後]|NU以[后後]',
    ago: 'NU以?前',
    lately: '(?:过去|過去|最近|近)NU',
    units: '[天日] [个個]?(?:星期|周|週|礼拜) [个個]月 年',
    numbers: '一 [二两兩] 三 四 五 六 七 八 九 十 十一 十二',
    within: ''
  }
}
