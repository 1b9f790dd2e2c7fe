import { describe, expect, it } from 'vitest'
import { analyse, analyseQuestion } from '../../src/memory/embedded/analyse.ts'
import { processorTime } from '../support/processor-time.ts'

/** Whether a question asks for something that the text says. */
const finds = (question: string, content: string): boolean => {
  const { terms } = analyse(content)
  return analyseQuestion(question).words.some((word) => word.terms.some((term) => terms.has(term)))
}

const termsOf = (content: string): string[] => [...analyse(content).terms.keys()]

describe('the terms of a text', () => {
  it.each([
    ['a plural', 'Any cellos?', 'She plays the cello.'],
    ['an irregular form', 'Who goes?', 'They went home together.'],
    ['an irregular plural', 'Which child?', 'The children were asleep.'],
    ['a possessive', 'Marguerite', 'We took Marguerite’s car.'],
    ['a curly contraction', 'Who can swim?', 'They’ll swim tomorrow.'],
    ['a hyphen, left out', 'Any email?', 'She prefers e-mail.'],
    ['a hyphen, put in', 'Any e-mail?', 'She prefers email.'],
    ['an abbreviation', 'the USA', 'They flew to the U.S.A. in May.'],
    ['full-width letters', 'invoice ABC12', 'Ｉｎｖｏｉｃｅ ＡＢＣ１２'],
    ['Arabic digits', 'Zimmer 42', 'غرفة ٤٢'],
    ['Devanagari digits', 'room 42', 'कमरा ४२'],
    ['thousands with a point', '12,500', 'Das kostet 12.500 Euro.'],
    ['a decimal comma', '3.5', 'Wir haben 3,5 Tonnen.'],
    ['an ordinal', 'the 8 of May', 'on the 8th'],
    ['a date in parts', '2024', 'signed on 2024-05-08'],
    ['a product code without its hyphen', 'Where is CAB12?', 'We shipped C-AB12.'],
    ['an e-mail address, in capitals', 'ADA@Example.com', 'Write to ada@example.com.'],
    ['the name in an e-mail address', 'Lovelace', 'Write to ada.lovelace@example.com.'],
    ['a site in an address', 'harbourdental', 'See https://www.harbourdental.example/prices?x=1'],
    ['a telephone number, written otherwise', '0170/5550123', 'Call +49 170 555 01 23.'],
    ['a sharp s', 'Strasse', 'Die Straße ist gesperrt.'],
    ['an umlaut spelled out', 'Mueller', 'Herr Müller rief an.'],
    ['an umlaut drawn together', 'Wann kam Frau Müller?', 'Frau Mueller kam gestern.'],
    ['a German verb', 'Wer lernt?', 'Wir lernen Geige.'],
    ['a German participle', 'Wann kaufte sie Brot?', 'Er hat Milch eingekauft und Brot gekauft.'],
    ['a strong German verb', 'Wer ist gestorben?', 'Der Hund starb im Mai.'],
    ['a Dutch participle', 'Wie werkt er?', 'Zij hebben gewerkt.'],
    ['a French first person', 'Qui embauche ?', 'Nous embauchons demain.'],
    ['a Spanish irregular verb', '¿Quién murió?', 'El perro ha muerto.'],
    ['an Italian irregular verb', 'Chi scrisse?', 'Ha scritto una lettera.'],
    ['an elision', 'Quel avion ?', 'L’avion est en retard.'],
    ['an Italian elision', 'Quale estate?', 'Dopo l’estate torneremo.'],
    ['a ligature', 'Quelle oeuvre ?', 'C’est son œuvre.'],
    ['a Turkish dotless i', 'Isik', 'Bay Işık aradı.'],
    ['a Turkish dotted I', 'istanbul', 'İSTANBUL güzeldir.'],
    ['a stroke through a letter', 'Lodz', 'Mieszka w mieście Łódź.'],
    ['Russian ё', 'самолет', 'Самолёт опоздал.'],
    ['Arabic vowel signs', 'مدرسة', 'ذهب إلى المَدْرَسَةِ'],
    ['an Arabic article behind a conjunction', 'مدرسة', 'البيت والمدرسة'],
    ['an Arabic broken plural', 'مدرسة', 'زرنا ثلاث مدارس'],
    ['Arabic letters with hamza', 'الاثنين', 'الإثنين'],
    ['a part of a Chinese compound', '烤箱', '我们买了新烤箱。'],
    ['traditional full-width punctuation', '护士', '（护士）'],
    ['another form of a Japanese verb', '祖父は育つ', '祖父は村で育ちました'],
    ['half-width katakana', 'パン', 'ﾊﾟﾝ屋'],
    ['a Korean word under its particle', '친구', '친구를 만났어요'],
    ['Thai, which has no blanks', 'ภาษาไทย', 'ฉันรักภาษาไทย']
  ])('finds through %s', (_, question, content) => {
    expect(finds(question, content)).toBe(true)
  })

  it('keeps apart what differs', () => {
    expect(finds('3.5', 'Wir haben 35 Tonnen.')).toBe(false)
    expect(finds('C-AB12', 'We shipped C-AB13.')).toBe(false)
    expect(finds('パン', 'ハン')).toBe(false)
    expect(finds('мой', 'мои')).toBe(false)
    expect(finds('canta', 'Non conta.')).toBe(false)
  })

  it('leaves out what stands in every text, and counts the rest', () => {
    expect(analyse('The van is at the house, and it’s not ours.')).toMatchObject({
      language: 'en',
      termCount: 2
    })
    expect(analyse('La furgoneta no está en la casa de mis padres.').termCount).toBe(3)
    expect(analyse('Das ist nicht mein Haus, sondern deines.').termCount).toBe(1)
  })

  it('tells the language of a sentence, and doesn’t pretend to for two words', () => {
    expect(analyse('Der Termin ist am Montag um zehn.').language).toBe('de')
    expect(analyse('La riunione è stata spostata a lunedì.').language).toBe('it')
    expect(analyse('Собрание в понедельник, Zoom ID 555.').language).toBe('ru')
    expect(analyse('会議は月曜日です').language).toBe('ja')
    // Under more than one language's stem, because it may be either.
    expect(termsOf('Vélos cassés').length).toBeGreaterThan(2)
    expect(termsOf('Les vélos sont cassés et je ne peux pas les réparer').length).toBeLessThan(8)
  })

  it('gives the same terms for the same text', () => {
    const text = 'Anna’s 2 vélos — 自転車 и самокат, C-AB12'
    expect(analyse(text)).toEqual(analyse(text))
  })
})

describe('the author of a text', () => {
  it.each([
    ['Ada: I like tea.', 'Ada'],
    ['Ada Lovelace: I like tea.', 'Ada Lovelace'],
    ['Jean-Luc O’Neill: yes', 'Jean-Luc O’Neill'],
    ['María del Carmen: sí', 'María del Carmen'],
    ['Élodie : bonsoir', 'Élodie'],
    ['李梅：你好', '李梅'],
    ['健太: おはよう', '健太'],
    ['Иван: Привет', 'Иван'],
    ['سامي: أهلا', 'سامي']
  ])('is the name before the colon: %s', (content, author) => {
    const analysed = analyse(content)
    expect(analysed.author).toBe(author)
    expect(analysed.terms.has(author.toLowerCase())).toBe(false)
  })

  it.each([
    '10:30 works for me',
    'https://example.com is our site',
    'Note: she is away',
    'Nota: está fuera',
    'Telefon: 0170 5550123',
    '地址：中山路5号',
    'Meeting at 10: bring the keys',
    'we agreed: no refunds',
    'Re:thing',
    'The three of us agreed on one thing: no refunds',
    'Ada:',
    ': hello'
  ])('is nobody in: %s', (content) => {
    expect(analyse(content).author).toBeNull()
  })
})

describe('what a question asks for', () => {
  it('has its words in order, with names told apart', () => {
    const question = analyseQuestion('When did Ada ship C-AB12 to Leeds?')
    expect(question.words.map(({ text }) => text)).toEqual(['Ada', 'ship', 'C-AB12', 'AB12', 'Leeds'])
    expect(question.words.filter(({ isName }) => !isName).map(({ text }) => text)).toEqual(['ship'])
    expect(question.asksWhen).toBe(true)
  })

  it.each([
    ['When did she move?', true],
    ['¿Desde cuando vive aquí?', true],
    ['Wann schließt die Bäckerei?', true],
    ['Когда ужин?', true],
    ['متى يفتح المخبز؟', true],
    ['いつ休みますか', true],
    ['Où est la clé ?', false],
    ['Waarom is hij boos?', false],
    ['护士几个？多少？', false]
  ])('knows whether it asks for a time: %s', (question, asksWhen) => {
    expect(analyseQuestion(question).asksWhen).toBe(asksWhen)
  })

  it('looks for a name in every language’s spelling of its stem', () => {
    const spanish = analyse('Carlos y María viven en la casa de sus padres.')
    const [maria] = analyseQuestion('Where does Maria live?').words
    expect(maria?.terms.some((term) => spanish.terms.has(term))).toBe(true)
  })
})

describe('a hostile text', () => {
  const longest = 32_768
  const fill = (text: string) => text.repeat(Math.ceil(longest / text.length)).slice(0, longest)
  // Generous, since the machine may be busy: what backtracks takes minutes.
  const LONGEST_MS = 1_000

  it.each([
    ['words joined by hyphens', fill('a-')],
    ['dots', fill('1.')],
    ['apostrophes', fill("a'")],
    ['digits', fill('1')],
    ['digits and blanks', fill('1 ')],
    ['a colon far away', `${fill('A ')}:`],
    ['capitals', fill('Aa '.repeat(30))],
    ['combining marks', fill('a\u0301\u0302')],
    ['forms that grow eighteen times', fill('\ufdfa')],
    ['lone surrogates', fill('\ud800a')],
    ['Chinese without a mark', fill('我们把诊所搬到了中山路')],
    ['kana without a mark', fill('きゃりーぱみゅぱみゅ')],
    ['addresses', fill('a@b.c/')],
    ['Arabic', fill('والمدارسات')]
  ])('takes little time: %s', (_, text) => {
    const worked = processorTime()
    const { terms } = analyse(text)
    analyseQuestion(text.slice(0, 4_096))
    expect(worked()).toBeLessThan(LONGEST_MS)
    expect(terms.size).toBeLessThanOrEqual(2_048)
    for (const term of terms.keys()) {
      expect(term.length).toBeLessThanOrEqual(64)
      expect(term.isWellFormed()).toBe(true)
    }
  })

  it('has at most 2,048 different terms', () => {
    const words = Array.from({ length: 6_000 }, (_, index) => `w${index.toString(36)}`).join(' ')
    expect(analyse(words).terms.size).toBe(2_048)
  })
})
