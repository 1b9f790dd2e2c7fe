import type { LanguageSample } from './sample.ts'

export const english: LanguageSample = {
  name: 'English',
  code: 'en',
  memories: [
    'Priya: We moved the dental clinic to Harbour Street in March.',
    'Priya: My two daughters are learning to play the cello.',
    'Tom: I drove to Leeds yesterday to pick up the new ovens for the bakery.',
    'Tom: The bakery opens at six, but we begin baking at three in the morning.',
    'Priya: The receptionist quit last week, so I have been answering the phones myself.',
    'Tom: My brother Alan caught a huge pike while fishing on the lake.',
    'Priya: Patients kept complaining about the parking, so we leased twelve more spaces.',
    'Tom: I sold the old delivery van to a florist from York.',
    'Priya: I have been allergic to peanuts since childhood.',
    'Tom: Our accountant found a mistake in the tax return.',
    'Priya: The insurance company refused to pay for the broken X-ray machine.',
    'Tom: We want a voice agent that takes cake orders over the phone.',
    'Priya: I ran my first half marathon on Sunday, in just under two hours.',
    'Tom: My wife grew up in Wales and speaks fluent Welsh.',
    'Priya: We are hiring a second hygienist before summer.',
    'Tom: The mixer broke again; the repairman comes on Thursday.',
    'Priya: Our invoices should go to billing@harbourdental.example.',
    'Tom: Sourdough is what our customers buy most.',
    'Ok, thanks!',
    'Tom: I gave the apprentices a raise after they passed their exams.'
  ],
  questions: [
    ['Which street did the clinic move to?', 'Harbour Street'],
    ['What instrument do the girls learn? Priya’s daughters', 'cello'],
    ['When do they start to bake?', 'three in the morning'],
    ['What fish did Alan catch?', 'pike'],
    ['Who bought the delivery van?', 'florist'],
    ['Which foods is Priya allergic to?', 'peanuts'],
    ['What mistakes did the accountants find?', 'tax return'],
    ['Who answers the phone since the receptionist has quit?', 'answering the phones'],
    ['Where did Tom’s wife grow up?', 'Wales'],
    ['Why did he raise the apprentice’s pay?', 'passed their exams']
  ]
}
