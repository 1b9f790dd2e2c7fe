// What a question asks for and a sentence tells, language by language; and whom the sentences of a memory are about.
import { describe, expect, it } from 'vitest'
import {
  attributesAsked,
  hasShape,
  isNoteHead,
  tellsAttribute,
  wordsFor
} from '../../src/memory/embedded/attributes/attribute.ts'
import { peopleIn } from '../../src/memory/embedded/facts/names.ts'
import { subjectsOf } from '../../src/memory/embedded/facts/subjects.ts'
import type { Language } from '../../src/memory/embedded/language.ts'
import { isSameName } from '../../src/memory/embedded/names.ts'

describe('what a question asks for', () => {
  it.each([
    ['en', 'What is Ada Quill’s e-mail address?', ['email']],
    ['en', 'Which policy number does Ada have with her insurer?', ['policy', 'insurer']],
    ['en', 'Where does the tenant work?', ['job']],
    ['en', 'Where does the conference take place?', []],
    ['es', '¿A qué es alérgico el huésped?', ['allergy']],
    ['de', 'Wie lautet die Telefonnummer von Frau Ahrend?', ['phone']],
    ['de', 'Wo wohnt Jan Ahrend jetzt?', ['address']],
    ['fr', 'Quel est l’âge de Paul Mercier ?', ['birth']],
    ['pt', 'Qual é a matrícula do carro dele?', ['plate', 'vehicle']],
    ['it', 'Quante persone vengono a cena?', ['seats']],
    ['nl', 'Wat is het kenteken van de auto?', ['plate', 'vehicle']],
    ['ja', '山本様の電話番号は何番ですか?', ['phone']],
    ['zh', '王女士的地址是什么?', ['address']],
    ['ar', 'ما رقم هاتف السيدة سلمى؟', ['phone']],
    ['ru', 'Какой телефон у клиента?', ['phone']]
  ] as [Language, string, string[]][])('%s %s', (language, question, attributes) => {
    expect(attributesAsked(question, language)).toEqual(attributes)
  })

  it('is read in the language that has the words, where a short question is taken for another', () => {
    expect(attributesAsked('Algum problema de saúde?', 'fr')).toEqual(['condition'])
  })
})

describe('what a sentence tells', () => {
  it.each([
    ['phone', 'en', 'Call back on 555-0170.', true],
    ['phone', 'en', 'Signed on 2026-05-03 for 310.000 euros.', false],
    ['phone', 'de', 'Ihre Nummer ist jetzt 0555 0171.', true],
    ['email', 'fr', 'Écrire à compta@atelier.example', true],
    ['allergy', 'es', 'Es alérgica al látex.', true],
    ['allergy', 'ja', '卵アレルギーがあります。', true],
    ['address', 'fr', 'Elle a déménagé à Rennes.', true],
    ['vehicle', 'en', 'The plan was renewed.', false],
    ['plan', 'ar', 'الباقة الذهبية', true],
    ['insurer', 'en', 'Seguro: Montclar', true]
  ] as const)('%s %s %s', (attribute, language, sentence, tells) => {
    expect(tellsAttribute(attribute, sentence, language)).toBe(tells)
  })

  it.each([
    ['price', 'It was 45 pounds in all.', true],
    ['price', 'It was room 45.', false],
    ['appointment', 'am nächsten Dienstag', true],
    ['appointment', '明後日', true],
    ['appointment', 'soon', false],
    ['policy', 'KX-2291', true],
    ['policy', 'the usual one', false],
    ['phone', 'ring 555 01 22', true],
    ['phone', 'from 2019-2021', false]
  ] as const)('a value of %s: %s', (attribute, text, is) => {
    expect(hasShape(attribute, text)).toBe(is)
  })

  it('knows words of change, of denial and of the past', () => {
    expect(wordsFor('de').change('Der Termin wurde verlegt.')).toBe(true)
    expect(wordsFor('ar').change('تغير الموعد')).toBe(true)
    expect(wordsFor('fr').negation("Il n'a plus de voiture")).toBe(true)
    expect(wordsFor('en').before('What did it cost at first?')).toBe(true)
    expect(wordsFor('en').change('She likes tea.')).toBe(false)
  })

  it('knows what heads a note from a name', () => {
    expect(
      ['Call summary', 'Résumé d’appel', '通話メモ', 'ملخص المكالمة', 'Teléfono'].every(isNoteHead)
    ).toBe(true)
    expect(['Dana', 'Anna Telford', '山本'].some(isNoteHead)).toBe(false)
  })
})

describe('people in a text', () => {
  const names = (text: string, language: Language) =>
    peopleIn(text, language).flatMap(({ name, isFull }) => (isFull ? [name] : []))
  it.each([
    [
      'en',
      'Ada Quill drives the Morland Estate from 7 Ferry Road to Otter & Sons.',
      ['Ada Quill', 'Otter & Sons']
    ],
    ['en', 'Seen by Dr. Ferreira in March.', ['Ferreira']],
    ['en', 'Insurance: Stonebridge Mutual', []],
    ['de', 'Anruf: Frau Ahrend, Termin Montag.', ['Ahrend']],
    ['es', 'Visita de Pilar Ortuño con la doctora Sáez.', ['Pilar Ortuño', 'Sáez']],
    ['ja', '山本 薫様より、お一人様2名様でご予約。', ['山本 薫']],
    ['ar', 'ملخص المكالمة: سلمى داود تطلب موعدا', ['سلمى داود']]
  ] as [Language, string, string[]][])('%s %s', (language, text, expected) => {
    expect(names(text, language)).toEqual(expected)
  })
})

describe('one name for another', () => {
  it.each([
    ['A. Quill', 'Ada Quill', true],
    ['Ada Q.', 'Ada Quill', true],
    ['Magda Quill', 'Magdalena Quill', true],
    ['A. Quill', 'Ben Quill', false],
    ['A. Q.', 'Ada Quill', false],
    ['Ada Brandt', 'Ada Quill', false]
  ])('%s, %s', (a, b, isSame) => {
    expect([isSameName(a, b), isSameName(b, a)]).toEqual([isSame, isSame])
  })
})

describe('whom a sentence is about', () => {
  const subjects = (content: string, language: Language) =>
    subjectsOf(content, language).map(({ subject, isAuthor }) => `${subject}${isAuthor ? ' self' : ''}`)
  it.each([
    [
      'Call note: Ada Quill asked for a quote. Phone 555-0170. She has a dog.',
      'en',
      ['Ada Quill', 'Ada Quill', 'Ada Quill']
    ],
    [
      'Ada Quill: My son Ben comes along. He is allergic to nuts. I am not.',
      'en',
      ['Ben', 'Ben', 'Ada Quill self']
    ],
    ['Agent: You are booked for Monday.', 'en', ['null']],
    ['Ada Quill met Leo Brandt. Leo prefers mornings.', 'en', ['Ada Quill', 'Leo Brandt']],
    ['The parcel of Ada Quill and Leo Brandt is late. Phone 555-0170.', 'en', ['null', 'null']],
    ['I live in Porto.', 'en', [' self']],
    ['Customer moved to Lisbon.', 'en', ['']],
    ['Cliente: Pilar Ortuño\nTeléfono: 555 0170', 'es', ['Pilar Ortuño', 'Pilar Ortuño']],
    ['Rückfrage: Frau Ahrend, neue Adresse Ulmenweg 4. Termin am 7. September.', 'de', ['Ahrend', 'Ahrend']],
    ['通話メモ: 山本 薫様より予約。電話番号 555-0170。', 'ja', ['山本 薫', '山本 薫']],
    ['Mitarbeiterin: Frau Ahrend, bis Montag.', 'de', ['null']],
    ['Customer: Hello, Ada Quill here. The tap drips.', 'en', ['Ada Quill self', 'Ada Quill self']],
    ['Kundin: Guten Tag, hier ist Jule Ahrend. Es eilt.', 'de', ['Jule Ahrend self', 'Jule Ahrend self']],
    ['Customer: It’s Monday. I’m fine.', 'en', [' self', ' self']],
    ['Mme Mercier : bonjour.', 'fr', ['Mercier self']]
  ] as [string, Language, string[]][])('%j', (content, language, expected) => {
    expect(subjects(content, language)).toEqual(expected)
  })
})
