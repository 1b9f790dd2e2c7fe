import type { LanguageSample } from './sample.ts'

export const portuguese: LanguageSample = {
  name: 'Portuguese',
  code: 'pt',
  memories: [
    'Beatriz: Mudamos o consultório para a Rua das Flores em março.',
    'Beatriz: As minhas filhas estão a aprender violino.',
    'João: Ontem comprei dois fornos novos para a padaria.',
    'João: A padaria fecha às segundas-feiras.',
    'Beatriz: O cão da senhora Teixeira morreu no domingo.',
    'João: A minha irmã casou com um médico de Coimbra.',
    'Beatriz: Os pacientes reclamam que ninguém atende o telefone.',
    'João: Vendemos a carrinha velha a um jardineiro.',
    'Beatriz: Sou alérgica a camarão desde criança.',
    'João: O contabilista encontrou um erro na declaração de impostos.',
    'Beatriz: A seguradora recusou pagar a reparação do aparelho de raios X.',
    'João: Queremos um agente de voz que receba encomendas durante a noite.',
    'Beatriz: Corri a minha primeira maratona em Lisboa.',
    'João: O meu avô cresceu numa aldeia do Alentejo.',
    'Beatriz: Vamos contratar duas enfermeiras antes do verão.',
    'João: A batedeira avariou outra vez; o técnico vem na quinta-feira.',
    'Beatriz: As faturas devem ser enviadas para contas@clinicasol.example.',
    'João: As canções da minha avó fazem-me chorar.',
    'Ok, obrigado!',
    'Beatriz: Agora também abrimos aos sábados.'
  ],
  questions: [
    ['Para que rua se mudou o consultorio?', 'Rua das Flores'],
    ['Que instrumento aprende a filha da Beatriz?', 'violino'],
    ['Que forno foi comprado para a padaria?', 'fornos'],
    ['De quem era o cao que morreu?', 'Teixeira'],
    ['Com quem se casou a irmã do João?', 'médico'],
    ['A quem venderam a carrinha?', 'jardineiro'],
    ['A que é que a Beatriz é alergica?', 'camarão'],
    ['Que erros encontraram os contabilistas?', 'impostos'],
    ['Quantas enfermeiras serão contratadas?', 'enfermeiras'],
    ['Que canção faz chorar o Joao?', 'avó']
  ]
}
