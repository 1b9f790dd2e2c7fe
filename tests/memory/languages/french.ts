import type { LanguageSample } from './sample.ts'

export const french: LanguageSample = {
  name: 'French',
  code: 'fr',
  memories: [
    "Camille : Nous avons déménagé l'agence à Lyon au mois de mars.",
    'Camille: Mes enfants apprennent à jouer du violon.',
    "Hugo: Hier j'ai acheté deux chevaux pour le centre équestre.",
    "Hugo: L'école d'équitation est fermée le lundi.",
    "Camille: L'avion de mon associé a été annulé à cause de la grève.",
    'Hugo: Ma sœur a épousé un boulanger de Nantes.',
    'Camille: Les clients se plaignent que personne ne répond au téléphone.',
    "Hugo: J'ai vendu la vieille camionnette à un fleuriste.",
    "Camille: Je suis allergique aux arachides depuis l'enfance.",
    "Hugo: Le comptable a trouvé une erreur dans la déclaration d'impôts.",
    "Camille: L'assurance a refusé de rembourser les dégâts des eaux.",
    'Hugo: Il nous faut un agent vocal qui prenne les réservations la nuit.',
    "Camille: J'ai couru mon premier marathon à Paris en quatre heures.",
    'Hugo: Mon grand-père a grandi dans un village de Bretagne.',
    'Camille: Nous embauchons deux secrétaires avant la rentrée.',
    'Hugo: Le tracteur est encore en panne, le mécanicien passe jeudi.',
    'Camille: Les factures doivent être envoyées à compta@agence-soleil.example.',
    "Hugo: Les élèves préfèrent les leçons d'obstacle.",
    'Ok, merci !',
    'Camille: Désormais nous travaillons aussi le samedi matin.'
  ],
  questions: [
    ["Où l'agence a-t-elle demenage ?", 'Lyon'],
    ["De quel instrument l'enfant de Camille joue-t-il ?", 'violon'],
    ['Quel animal Hugo a-t-il acheté, un cheval ?', 'chevaux'],
    ['Pourquoi les avions étaient-ils annulés ?', 'grève'],
    ['Avec qui la soeur de Hugo est-elle mariée ? un boulanger ?', 'boulanger'],
    ['A qui a-t-on vendu la camionnette ?', 'fleuriste'],
    ['À quoi Camille est-elle allergique ?', 'arachides'],
    ['Quelles erreurs les comptables ont-ils trouvées ?', 'impôts'],
    ['Que refusent de rembourser les assurances ? Le degat des eaux ?', 'dégâts'],
    ['Combien de secretaires va-t-on embaucher ?', 'secrétaires']
  ]
}
