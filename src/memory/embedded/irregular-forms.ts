// Words whose forms no stemmer brings together: base form, then the others. What a language's stemmer does well (most
// endings, and in German and Dutch the regular participle) needs no entry.
import type { LatinLanguage } from './language.ts'
import { wordFamilies } from './word-lists.ts'

const FAMILIES: Readonly<Record<LatinLanguage | 'ru', string>> = {
  en: `
arise arose arisen|awake awoke awoken|bear borne|beat beaten|become became|begin began begun|bend bent|bind bound|bite
bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought|
catch caught|choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|dive dove|draw drew drawn|dream
dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|
flee fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|
get got gotten|give gave given|go goes went gone|grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep
kept|kneel knelt|know knew known|lay laid|lead led|lean leant|leap leapt|learn learnt|leave left|lend lent|lie lay lain|
light lit|lose lost|make made|mean meant|meet met|mistake mistook mistaken|overcome overcame|pay paid|prove proven|ride
rode ridden|ring rang rung|rise risen|run ran|say said|see saw seen|seek sought|sell sold|send sent|sew sewn|shake shook
shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat|sleep slept|slide
slid|speak spoke spoken|speed sped|spend spent|spill spilt|spin spun|spring sprang sprung|stand stood|steal stole
stolen|stick stuck|sting stung|strike struck stricken|strive strove striven|swear swore sworn|sweep swept|swell swollen|
swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown|
understand understood|undertake undertook undertaken|wake woke woken|wear wore worn|weave wove woven|weep wept|win won|
withdraw withdrew withdrawn|write wrote written|child children kid kids|mother mom moms mum mums mommy mummy|father dad
dads daddy|grandmother grandma granny|grandfather grandpa|brother bro|sister sis|family fam|bicycle bike bikes|photo pic
pics picture pictures|movie film films|television tv|telephone phone phones|puppy pup pups|favorite fav favourite|color
colour colours|neighbor neighbour neighbours|theater theatre|center centre|gray grey|jewelry jewellery|mathematics math
maths|vet veterinarian|person people|man men|woman women|foot feet|tooth teeth|goose geese|mouse mice|life lives|wife
wives|knife knives|leaf leaves|half halves|shelf shelves|wolf wolves|loaf loaves|thief thieves|calf calves|self selves|
good better best|bad worse worst|far further furthest farther farthest`,
  es: `
andar anduve anduvo|caber cupo|caer cayó|conducir condujo conduje conduzco|conseguir consigue consiguió|costar cuesta
cuestan|dar dio dieron doy|decir dijo dijeron dicho dice digo|dormir duerme durmió|empezar empieza|encontrar encuentra|
escribir escrito|freír frito|hacer hizo hicieron hecho hago hice|ir iba fue fueron va vamos van voy|jugar juega juegan|
leer leyó|morir murió muerto muere|oír oyó oye|pedir pidió pide|pensar piensa|perder pierde|poder pudo puede pueden|
poner puso pusieron puesto pongo|preferir prefiere prefirió|querer quiso quiere quieren|recordar recuerda|romper roto|
saber supo|salir salgo|seguir sigue siguió|sentir siente sintió|servir sirve sirvió|tener tuvo tuvieron tengo tiene
tienen|traer trajo trajeron traigo|venir vinieron vengo viene|ver vio visto veo|vestir viste vistió|volver vuelve
vuelto|volar vuela|abrir abierto|cubrir cubierto|resolver resuelto`,
  fr: `
acheter achètent|aller va vont allé irai ira|apprendre appris apprennent|boire bu boit buvons|comprendre compris|
conduire conduit|connaître connu connaît|construire construit|courir couru|croire cru croit|devoir dû doit|dire dit
disent|dormir dort|écrire écrit écrivent|envoyer enverra|faire fait font fera|falloir faut|lire lu lisent|mettre mis
met|mourir mort meurt morte|naître né née naît|offrir offert|ouvrir ouvert|perdre perdu|pouvoir peut peuvent|prendre
pris prennent|préférer préfère préfèrent|recevoir reçu reçoit|répondre répond répondu|rendre rendu|savoir sait su
savent|suivre suivi suit|tenir tenu tient|vendre vendu vend|venir venu vient viennent|vivre vécu|voir vu voit|vouloir
veut veulent voulu|rompre rompu|œil yeux|ciel cieux|monsieur messieurs|madame mesdames|travail travaux`,
  de: `
befehlen befahl befohlen|beginnen begann begonnen|beißen biss gebissen|bieten bot geboten|binden band gebunden|bitten
bat gebeten|bleiben blieb geblieben|brechen brach gebrochen bricht|brennen brannte gebrannt|bringen brachte gebracht|
denken dachte gedacht|empfehlen empfahl empfohlen empfiehlt|essen aß gegessen isst|fahren fuhr gefahren fährt|fallen
fiel gefallen fällt|fangen fing gefangen fängt|finden fand gefunden|fliegen flog geflogen|fliehen floh geflohen|fließen
floss geflossen|frieren fror gefroren|geben gab gegeben gibt|gehen ging gegangen|gelten galt gegolten gilt|gewinnen
gewann gewonnen|gießen goss gegossen|graben grub gegraben|greifen griff gegriffen|halten hielt gehalten|hängen hing
gehangen|heben hob gehoben|heißen hieß geheißen|helfen half geholfen hilft|kennen kannte gekannt|kommen kam gekommen|
laden lud geladen lädt|lassen ließ gelassen lässt|laufen lief gelaufen läuft|leiden litt gelitten|leihen lieh geliehen|
lesen las gelesen liest|liegen lag gelegen|lügen log gelogen|messen maß gemessen misst|nehmen nahm genommen nimmt|nennen
nannte genannt|pfeifen pfiff gepfiffen|raten riet geraten|reißen riss gerissen|reiten ritt geritten|rennen rannte
gerannt|riechen roch gerochen|rufen rief gerufen|scheinen schien geschienen|schieben schob geschoben|schießen schoss
geschossen|schlafen schlief geschlafen schläft|schlagen schlug geschlagen schlägt|schließen schloss geschlossen|
schneiden schnitt geschnitten|schreiben schrieb geschrieben|schreien schrie geschrien|schwimmen schwamm geschwommen|
sehen sah gesehen sieht|singen sang gesungen|sinken sank gesunken|sitzen saß gesessen|sprechen sprach gesprochen
spricht|springen sprang gesprungen|stehen stand gestanden|stehlen stahl gestohlen|steigen stieg gestiegen|sterben starb
gestorben stirbt|streichen strich gestrichen|streiten stritt gestritten|tragen trug getragen trägt|treffen traf
getroffen trifft|treiben trieb getrieben|treten trat getreten tritt|trinken trank getrunken|tun tat getan|vergessen
vergaß vergisst|verlieren verlor verloren|wachsen wuchs gewachsen wächst|waschen wusch gewaschen wäscht|werfen warf
geworfen wirft|wiegen wog gewogen|wissen wusste gewusst|ziehen zog gezogen|aufwachsen aufgewachsen|umziehen umgezogen|
einziehen eingezogen|anrufen angerufen|ankommen angekommen|abnehmen abgenommen|annehmen angenommen|aufnehmen
aufgenommen|ausgehen ausgegangen|einladen eingeladen|vorschlagen vorgeschlagen`,
  pt: `
abrir aberto|caber coube|cobrir coberto|crer creu|dar deu deram dá dou|dizer disse disseram dito digo|dormir durmo|
escrever escrito|estar esteve|fazer fez fizeram feito faço|ir foi foram vai vão vou|ler leu leem|morrer morto|ouvir
ouço|pedir peço|perder perco|poder pôde puderam|pôr pôs puseram posto põe|querer quis|saber soube sei|sair saiu sai|
seguir sigo|sentir sinto|ter teve tiveram tem têm tenho|trazer trouxe trouxeram trago|ver viu viram visto vê veem|vir
veio vieram vem vêm venho|cair caiu cai`,
  it: `
accendere acceso accese|aprire aperto|andare vado va vanno andrà|bere bevuto beve bevve|chiedere chiesto chiese|chiudere
chiuso chiuse|conoscere conobbe|correre corso corse|crescere crebbe|dare dato diede dà|decidere deciso decise|dire detto
disse dice dicono|dovere deve devono|essere stato stata|fare fatto fece fa fanno|leggere letto lesse|mettere messo mise|
morire morto muore|muovere mosso mosse|nascere nato nacque|offrire offerto|perdere perso perse|piacere piacque|piangere
pianto pianse|porre pose|potere può possono|prendere preso prese|ridere riso rise|rimanere rimasto rimase|rispondere
risposto rispose|rompere rotto ruppe|salire salgo|sapere sa seppe sanno|scegliere scelto scelse|scendere sceso scese|
scrivere scritto scrisse|spendere speso spese|spegnere spento spense|tenere tiene tenne tengo|togliere tolto tolse|
uscire esce escono|vedere visto vide|venire viene venne vengo|vincere vinto vinse|vivere vissuto visse|volere vuole
vogliono volle|assumere assunto assunse|iscrivere iscritto|uomo uomini`,
  nl: `
beginnen begon begonnen|begrijpen begreep begrepen|bieden bood geboden|bijten beet gebeten|blijven bleef gebleven|breken
brak gebroken|brengen bracht gebracht|denken dacht gedacht|dragen droeg gedragen|drinken dronk gedronken|eten at
gegeten|gaan ging gegaan ga|geven gaf gegeven geef|groeien groeide gegroeid|hangen hing gehangen|helpen hielp geholpen|
houden hield gehouden|huis huizen|kiezen koos gekozen kies|kijken keek gekeken|klagen klaagt klaagde|komen kwam kwamen
gekomen|kopen kocht gekocht koopt|krijgen kreeg gekregen|laten liet gelaten|lezen las gelezen lees|liggen lag gelegen|
lopen liep gelopen loopt|nemen nam genomen neemt|rijden reed gereden|roepen riep geroepen|schrijven schreef geschreven|
slaan sloeg geslagen|slapen sliep geslapen slaapt|sluiten sloot gesloten|spreken sprak gesproken|staan stond gestaan|
stad steden|sterven stierf gestorven|trekken trok getrokken|vallen viel gevallen|vangen ving gevangen|verbieden verbood
verboden|vergeten vergat|verkopen verkocht verkoopt|verliezen verloor verloren|vinden vond vonden gevonden|vliegen vloog
gevlogen|vragen vroeg gevraagd|weten wist geweten|winnen won gewonnen|worden werd geworden|zeggen zei gezegd|zenden zond
gezonden|zien zag gezien|zingen zong gezongen|zitten zat gezeten|zoeken zocht gezocht|zwemmen zwom gezwommen|kind
kinderen|ei eieren|opgroeien opgegroeid|meenemen meegenomen|aannemen aangenomen|weigeren weigerde geweigerd`,
  ru: `
человек люди людей людям|ребенок дети детей детям детьми|друг друзья друзей друзьям|год лет|идти шел шла шли|брать взять
взял взяла|сын сыновья сыновей|мать матери матерью|дочь дочери дочерью дочерей дочерям|сестра сестер|время времени|имя
имени|деньги денег|отец отца отцу|день дня дней дни|расти рос росла вырос выросла вырасти|ехать еду едет поехал`
}

export const irregularsOf = (language: LatinLanguage | 'ru'): (readonly [form: string, base: string])[] =>
  wordFamilies(FAMILIES[language]).flatMap(([base = '', ...forms]) =>
    forms.map((form) => [form, base] as const)
  )
