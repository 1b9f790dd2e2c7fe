import type { LanguageSample } from './sample.ts'

export const german: LanguageSample = {
  name: 'German',
  code: 'de',
  memories: [
    'Katrin: Im März sind wir mit der Praxis in die Goethestraße umgezogen.',
    'Katrin: Meine Töchter lernen seit einem Jahr Geige.',
    'Jürgen: Gestern habe ich zwei neue Öfen für die Bäckerei gekauft.',
    'Jürgen: Die Bäckerei bleibt montags geschlossen.',
    'Katrin: Der Hund von Frau Möller ist am Sonntag gestorben.',
    'Jürgen: Meine Schwester hat einen Arzt aus Graz geheiratet.',
    'Katrin: Die Patienten beschweren sich, weil niemand ans Telefon geht.',
    'Jürgen: Den alten Lieferwagen haben wir an einen Gärtner verkauft.',
    'Katrin: Seit meiner Kindheit bin ich gegen Nüsse allergisch.',
    'Jürgen: Die Steuerberaterin hat einen Fehler in der Bilanz gefunden.',
    'Katrin: Die Versicherung weigerte sich, das Röntgengerät zu bezahlen.',
    'Jürgen: Wir möchten einen Sprachassistenten, der nachts Bestellungen annimmt.',
    'Katrin: Ich bin in Hamburg meinen ersten Halbmarathon gelaufen.',
    'Jürgen: Mein Großvater wuchs in einem Dorf in Tirol auf.',
    'Katrin: Vor dem Sommer stellen wir zwei Assistentinnen ein.',
    'Jürgen: Die Knetmaschine ist schon wieder kaputt, am Donnerstag kommt der Techniker.',
    'Katrin: Rechnungen bitte an buchhaltung@praxis-sonne.example schicken.',
    'Jürgen: Am liebsten kaufen die Kunden unser Roggenbrot.',
    'Ok, danke!',
    'Katrin: Ab sofort haben wir auch an Samstagen geöffnet.'
  ],
  questions: [
    ['In welche Strasse ist die Praxis umgezogen?', 'Goethestraße'],
    ['Welches Instrument lernt die Tochter von Katrin?', 'Geige'],
    ['Was hat Juergen für die Baeckerei gekauft, einen Ofen?', 'Öfen'],
    ['Wessen Hund ist gestorben?', 'Möller'],
    ['Wer hat den Lieferwagen gekauft, ein Gaertner?', 'Gärtner'],
    ['Gegen welche Nuss ist Katrin allergisch?', 'Nüsse'],
    ['Welche Fehler fanden die Steuerberater?', 'Bilanz'],
    ['Was wollten die Versicherungen nicht bezahlen?', 'Röntgengerät'],
    ['In welchem Dorf ist der Grossvater aufgewachsen?', 'Tirol'],
    ['Welches Brot kauft der Kunde am liebsten?', 'Roggenbrot']
  ]
}
