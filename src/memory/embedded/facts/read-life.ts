// Where people live, how they are reached, what they must not eat, what they speak.
import type { Clause } from './clause.ts'
import type { Finding, Reader } from './reading.ts'
import { atStart, END, groupsIn, isCalendarWord, NOT_OF_ONE_NOW, PLACE, trimName } from './reading.ts'

const LIVES_IN = atStart`(?:back )?in (?<place>${PLACE})${END}`
const BASED_IN = atStart`(?:based|located|headquartered) (?:in|out of) (?<place>${PLACE})${END}`
const MOVED_TO = atStart`(?:back |over |out )?(?:here )?(?:from ${PLACE} )?to (?<place>${PLACE})(?: from ${PLACE})?${END}`
const MOVED_OUT = atStart`(?:away from|out of|from) (?<place>${PLACE})(?! to )${END}`

/** People and teams move to products and plans, too. Nobody writes `Premium, Ohio`. */
const isPlaceOf = (place: string, { verb }: Clause): boolean =>
  !isCalendarWord(place) && (isKnownPlace(place) || !/^mov/.test(verb) || place.includes(', '))

function placeIn(rest: string, pattern: RegExp, clause: Clause, isRetraction = clause.isDenied) {
  const place = trimName(groupsIn(rest, pattern).place ?? '')
  if (!place || !(isRetraction || isPlaceOf(place, clause))) return []
  return [{ kind: 'place' as const, value: place, isRetraction }]
}

const DIET = atStart`(?:an? )?(?:strict(?:ly)? )?(?<diet>vegetarian|vegan|pescatarian|lactose[- ]intolerant|gluten[- ]intolerant|coeliac|celiac|diabetic|teetotal|colou?r[- ]?blind|wheelchair user|hard of hearing)${END}`
const ALLERGY =
  /^(?:severely |highly )?allergic to (?<what>(?:[a-z-]{2,20} ){0,2}[a-z-]{2,20})(?=[.,;!)]|$| (?:and|but|so|since)\b)/

const LANGUAGE_NAMES =
  'English|Spanish|French|German|Portuguese|Italian|Dutch|Russian|Arabic|Chinese|Mandarin|Cantonese|Japanese|Korean|Polish|Czech|Slovak|Hungarian|Romanian|Bulgarian|Greek|Turkish|Hebrew|Hindi|Urdu|Bengali|Tamil|Punjabi|Farsi|Persian|Vietnamese|Thai|Indonesian|Malay|Tagalog|Ukrainian|Swedish|Norwegian|Danish|Finnish|Icelandic|Catalan|Basque|Croatian|Serbian|Slovenian|Albanian|Lithuanian|Latvian|Estonian|Swahili|Zulu|Afrikaans|Irish|Welsh'
const SPEAKS = atStart`(?<only>only )?(?:fluent |native |some |a little )?(?<languages>(?:${LANGUAGE_NAMES})(?:(?:, and | and |, )(?:${LANGUAGE_NAMES})){0,4})(?: fluently| well| natively)?${END}`

function newPlace(clause: Clause): readonly Finding[] {
  const to = placeIn(clause.rest, MOVED_TO, clause)
  return to.length > 0 ? to : placeIn(clause.rest, MOVED_OUT, clause, true)
}

function dietOf(clause: Clause): readonly Finding[] {
  const { diet, what } = groupsIn(stateOf(clause), DIET, ALLERGY)
  const isRetraction = clause.isDenied
  if (diet) return [{ kind: 'health', topic: `diet ${diet.replace('-', ' ')}`, value: diet, isRetraction }]
  if (!what) return []
  return [{ kind: 'health', topic: `allergy ${what}`, value: `allergic to ${what}`, isRetraction }]
}

function spoken({ rest, verb, person, isDenied }: Clause): readonly Finding[] {
  const { only, languages } = groupsIn(verb === 'speak' && person === 'other' ? '' : rest, SPEAKS)
  if (!languages) return []
  return [
    { kind: 'preference', topic: 'language', value: `speaks ${isDenied ? 'no ' : (only ?? '')}${languages}` }
  ]
}

export const LIFE_READERS: readonly Reader[] = [
  [
    'live lives living reside resides residing',
    NOT_OF_ONE_NOW,
    (clause) => placeIn(clause.rest, LIVES_IN, clause)
  ],
  [
    'am is are based located headquartered',
    ['isAhead'],
    (clause) => placeIn(stateOf(clause), BASED_IN, clause)
  ],
  ['moved relocated', ['isAhead', 'isDenied'], newPlace],
  ['am is vegetarian vegan allergic lactose gluten', NOT_OF_ONE_NOW, dietOf],
  ['speak speaks', NOT_OF_ONE_NOW, spoken]
]

/** `is based in …`, and in a note `Based in …`. */
const stateOf = ({ verb, rest }: Clause): string => (/^(?:am|is|are)$/.test(verb) ? rest : `${verb} ${rest}`)

/** Where only the name tells a place from a product: a customer moves to Lisbon, and a customer moves to Kanban boards. */
const PLACES = `
Afghanistan, Albania, Algeria, Andorra, Angola, Argentina, Armenia, Australia, Austria, Azerbaijan, Bahamas, Bahrain,
Bangladesh, Barbados, Belarus, Belgium, Belize, Benin, Bhutan, Bolivia, Bosnia, Botswana, Brazil, Brunei, Bulgaria,
Cambodia, Cameroon, Canada, Chile, China, Colombia, Costa Rica, Croatia, Cuba, Cyprus, Czech Republic, Czechia, Denmark,
Dominican Republic, Ecuador, Egypt, El Salvador, England, Estonia, Ethiopia, Fiji, Finland, France, Georgia, Germany,
Ghana, Greece, Greenland, Guatemala, Guinea, Haiti, Honduras, Hungary, Iceland, India, Indonesia, Iran, Iraq, Ireland,
Israel, Italy, Ivory Coast, Jamaica, Japan, Jordan, Kazakhstan, Kenya, Korea, Kosovo, Kuwait, Laos, Latvia, Lebanon,
Libya, Liechtenstein, Lithuania, Luxembourg, Madagascar, Malaysia, Maldives, Malta, Mauritius, Mexico, Moldova, Monaco,
Mongolia, Montenegro, Morocco, Mozambique, Myanmar, Namibia, Nepal, Netherlands, New Zealand, Nicaragua, Nigeria, North
Macedonia, Northern Ireland, Norway, Oman, Pakistan, Panama, Paraguay, Peru, Philippines, Poland, Portugal, Puerto Rico,
Qatar, Romania, Russia, Rwanda, Saudi Arabia, Scotland, Senegal, Serbia, Singapore, Slovakia, Slovenia, South Africa,
South Korea, Spain, Sri Lanka, Sudan, Sweden, Switzerland, Syria, Taiwan, Tanzania, Thailand, Trinidad, Tunisia, Turkey,
Türkiye, Uganda, Ukraine, United Arab Emirates, United Kingdom, United States, UAE, UK, US, USA, Uruguay, Uzbekistan,
Venezuela, Vietnam, Wales, Yemen, Zambia, Zimbabwe, Alabama, Alaska, Arizona, Arkansas, California, Colorado,
Connecticut, Delaware, Florida, Hawaii, Idaho, Illinois, Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland,
Massachusetts, Michigan, Minnesota, Mississippi, Missouri, Montana, Nebraska, Nevada, New Hampshire, New Jersey, New
Mexico, New York, North Carolina, North Dakota, Ohio, Oklahoma, Oregon, Pennsylvania, Rhode Island, South Carolina,
South Dakota, Tennessee, Texas, Utah, Vermont, Virginia, Washington, West Virginia, Wisconsin, Wyoming, Alberta, British
Columbia, Manitoba, Nova Scotia, Ontario, Quebec, Bavaria, Catalonia, Tuscany, Sicily, Andalusia, Brittany, Normandy,
Provence, Algarve, Madeira, Bali, Mallorca, Ibiza, Crete, Aarhus, Abidjan, Abu Dhabi, Accra, Adelaide, Alexandria,
Algiers, Alicante, Almaty, Amman, Amsterdam, Ankara, Antwerp, Asunción, Athens, Atlanta, Auckland, Austin, Baghdad,
Baku, Baltimore, Bangalore, Bangkok, Barcelona, Bari, Basel, Beijing, Beirut, Belfast, Belgrade, Bengaluru, Bergen,
Berkeley, Berlin, Bern, Bilbao, Birmingham, Bogotá, Bogota, Boise, Bologna, Bonn, Bordeaux, Boston, Boulder, Braga,
Brasília, Bratislava, Bremen, Brighton, Brisbane, Bristol, Brno, Brooklyn, Bruges, Brussels, Bucharest, Budapest, Buenos
Aires, Buffalo, Cairo, Calgary, Cambridge, Canberra, Cape Town, Caracas, Cardiff, Casablanca, Charleston, Charlotte,
Chennai, Chicago, Christchurch, Cincinnati, Cleveland, Cluj, Coimbra, Cologne, Columbus, Copenhagen, Cork, Córdoba,
Dakar, Dallas, Damascus, Delhi, Denver, Detroit, Dhaka, Doha, Dortmund, Dresden, Dubai, Dublin, Durban, Düsseldorf,
Edinburgh, Edmonton, Eindhoven, El Paso, Faro, Florence, Fort Worth, Frankfurt, Fresno, Galway, Gdansk, Geneva, Genoa,
Ghent, Glasgow, Gothenburg, Granada, Graz, Grenoble, Guadalajara, Guangzhou, Guayaquil, Hamburg, Hamilton, Hanoi,
Hanover, Harare, Havana, Helsinki, Ho Chi Minh City, Hong Kong, Honolulu, Houston, Hyderabad, Indianapolis, Innsbruck,
Istanbul, Izmir, Jakarta, Jeddah, Jerusalem, Johannesburg, Kabul, Kampala, Kansas City, Karachi, Kathmandu, Kaunas,
Kiev, Kigali, Kingston, Kolkata, Krakow, Kraków, Kuala Lumpur, Kyiv, Kyoto, La Paz, Lagos, Lahore, Las Vegas, Lausanne,
Leeds, Leicester, Leipzig, Lille, Lima, Limerick, Limassol, Lisbon, Liverpool, Ljubljana, London, Los Angeles, Luanda,
Lucerne, Lviv, Lyon, Madrid, Málaga, Malaga, Malmö, Manchester, Manila, Maputo, Marseille, Medellín, Medellin,
Melbourne, Memphis, Mexico City, Miami, Milan, Milwaukee, Minneapolis, Minsk, Mombasa, Montevideo, Montpellier,
Montreal, Moscow, Mumbai, Munich, Nairobi, Nantes, Naples, Nashville, New Delhi, New Orleans, New York City, Newcastle,
Nice, Nicosia, Nottingham, Nuremberg, Oakland, Odesa, Oklahoma City, Omaha, Orlando, Osaka, Oslo, Ottawa, Oxford,
Palermo, Palma, Panama City, Paris, Perth, Philadelphia, Phoenix, Pittsburgh, Plovdiv, Portland, Porto, Porto Alegre,
Prague, Pretoria, Quito, Rabat, Raleigh, Reykjavik, Riga, Rio de Janeiro, Riyadh, Rome, Rosario, Rotterdam, Sacramento,
Salt Lake City, Salzburg, San Antonio, San Diego, San Francisco, San José, San Jose, San Juan, Santiago, Santo Domingo,
São Paulo, Sarajevo, Seattle, Seoul, Seville, Shanghai, Sheffield, Shenzhen, Skopje, Sofia, Southampton, Split,
Stockholm, Strasbourg, Stuttgart, Sydney, Taipei, Tallinn, Tampa, Tampere, Tashkent, Tbilisi, Tehran, Tel Aviv, The
Hague, Thessaloniki, Tokyo, Toronto, Toulouse, Trieste, Tucson, Tunis, Turin, Utrecht, Valencia, Valletta, Vancouver,
Venice, Verona, Vienna, Vilnius, Warsaw, Washington DC, Wellington, Winnipeg, Wrocław, Yerevan, York, Zagreb, Zaragoza,
Zurich, Zürich
`

const places = new Set(PLACES.split(',').map((name) => name.trim().toLowerCase()))

function isKnownPlace(name: string): boolean {
  const [place = ''] = name.toLowerCase().split(',')
  return places.has(place.trim().replace(/^the (?!hague$)/, ''))
}
