import type { LanguageSample } from './sample.ts'

export const dutch: LanguageSample = {
  name: 'Dutch',
  code: 'nl',
  memories: [
    'Sanne: In maart zijn we met de praktijk naar de Kerkstraat verhuisd.',
    'Sanne: Mijn dochters leren sinds vorig jaar cello spelen.',
    'Bram: Gisteren heb ik twee nieuwe ovens voor de bakkerij gekocht.',
    'Bram: De bakkerij is op maandag gesloten.',
    'Sanne: De hond van mevrouw Visser is zondag gestorven.',
    'Bram: Mijn zus is met een arts uit Gent getrouwd.',
    'Sanne: Patiënten klagen dat niemand de telefoon opneemt.',
    'Bram: We hebben de oude bestelwagen aan een tuinman verkocht.',
    'Sanne: Ik ben al mijn hele leven allergisch voor noten.',
    'Bram: De boekhouder vond een fout in de belastingaangifte.',
    'Sanne: De verzekering weigerde het röntgenapparaat te betalen.',
    'Bram: We willen een spraakassistent die ’s nachts bestellingen aanneemt.',
    'Sanne: Ik heb in Rotterdam mijn eerste marathon gelopen.',
    'Bram: Mijn opa groeide op in een dorpje in Zeeland.',
    'Sanne: Voor de zomer nemen we twee assistentes aan.',
    'Bram: De deegmachine is weer kapot, donderdag komt de monteur.',
    'Sanne: Facturen graag naar boekhouding@praktijkzon.example sturen.',
    'Bram: Onze klanten kopen het liefst roggebrood.',
    'Oké, bedankt!',
    'Sanne: Vanaf nu zijn we ook op zaterdagen open.'
  ],
  questions: [
    ['Naar welke straat verhuisde de praktijk?', 'Kerkstraat'],
    ['Welk instrument leert de dochter van Sanne?', 'cello'],
    ['Welke oven is er voor de bakkerij gekocht?', 'ovens'],
    ['Wiens hond stierf, die van mevrouw Visser?', 'gestorven'],
    ['Waarover klaagt de patient?', 'klagen'],
    ['Aan wie is de bestelwagen verkocht?', 'tuinman'],
    ['Waarvoor is Sanne allergisch?', 'noten'],
    ['Welke fouten vonden de boekhouders?', 'belastingaangifte'],
    ['Welke rontgenapparaten wilden de verzekeringen niet betalen?', 'röntgenapparaat'],
    ['In welk dorp groeide opa op?', 'Zeeland']
  ]
}
