// Questions in words that the notes don't have: what a sentence asks for is told by other words, too.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestService, type TestService } from '../../support/service.ts'
import { on, tellAndAsk } from './told.ts'

describe('a question in other words', () => {
  let test: TestService
  beforeAll(async () => {
    test = await openTestService('sqlite')
  })
  afterAll(() => test.close())

  const ask = (told: Parameters<typeof tellAndAsk>[1], question: string) =>
    tellAndAsk(test.service, told, question)

  it('finds the number that somebody is called at', async () => {
    const told = [
      on(
        '2026-05-06',
        'Marta Ibáñez, viaje a Roma con su hermana. Llamarla siempre por la tarde al 555 0167'
      ),
      on('2026-05-07', 'Tomás Roldán pregunta por Lisboa. Móvil 555 0193.')
    ]
    const { places } = await ask(told, 'Tengo que hablar con Marta Ibáñez, ¿qué número marco?')
    expect(places[0]).toBe(0)
  })

  it('finds a day within the days that a note speaks of', async () => {
    const told = [
      on('2026-08-25', 'Pas de cours pendant les vacances, du 19 octobre au 1er novembre 2026.'),
      on('2026-09-22', 'Yann Kerdoncuff : bonjour, je voudrais le cours d’italien du jeudi.')
    ]
    const { places } = await ask(told, 'Est-ce que l’école donnait des cours le lundi 26 octobre 2026 ?')
    expect(places[0]).toBe(0)
  })

  it('tells all of a month, by whatever words it is asked for', async () => {
    const told = [
      on('2026-07-02', 'Lidia Roca corrige su pasaporte.'),
      on('2026-07-15', 'El hotel de Faro no tiene sitio.'),
      on('2026-09-08', 'Lidia Roca pasa a firmar.')
    ]
    const { places } = await ask(told, 'Hazme un repaso de lo que pasó en julio de 2026')
    expect(places).toEqual([0, 1])
  })

  it('takes an allergy for what somebody must not eat', async () => {
    const told = [
      on('2026-07-01', 'Call from Ada Quill. Allergic to cashews.'),
      on('2026-07-09', 'Ada Quill paid 30 euros for the room.')
    ]
    const { places, found } = await ask(told, 'What should Ada Quill not eat?')
    expect(found).toBe(true)
    expect(places[0]).toBe(0)
  })
})
