import type { LanguageSample } from './sample.ts'

export const spanish: LanguageSample = {
  name: 'Spanish',
  code: 'es',
  memories: [
    'Lucía: Abrimos la clínica veterinaria en Valencia hace tres años.',
    'Lucía: Mis hijos están aprendiendo a tocar la guitarra.',
    'Diego: Ayer compré un camión nuevo para repartir las flores.',
    'Diego: La floristería cierra los lunes por la tarde.',
    'Lucía: El gato de la señora Ortega murió el domingo.',
    'Diego: Mi hermana se casó en Sevilla con un médico alemán.',
    'Lucía: Los clientes se quejan de que nadie contesta al teléfono.',
    'Diego: Vendimos más rosas que tulipanes este año.',
    'Lucía: Soy alérgica a los mariscos desde niña.',
    'Diego: El contable encontró un error en la declaración de la renta.',
    'Lucía: La aseguradora no quiso pagar la reparación del ecógrafo.',
    'Diego: Queremos un agente de voz que tome los pedidos por la noche.',
    'Lucía: Corrí mi primer maratón en Madrid y tardé cuatro horas.',
    'Diego: Mi mujer creció en una aldea de Galicia.',
    'Lucía: Vamos a contratar a dos enfermeras antes del verano.',
    'Diego: El frigorífico se rompió otra vez; el técnico viene el jueves.',
    'Lucía: Las facturas se envían a cuentas@clinicaluna.example.',
    'Diego: Las canciones de mi abuela me hacen llorar.',
    'Vale, gracias.',
    'Lucía: Cambiamos el horario: ahora atendemos también los sábados.'
  ],
  questions: [
    ['¿Dónde se abrió la clinica veterinaria?', 'Valencia'],
    ['¿Qué instrumento aprende el hijo de Lucía?', 'guitarra'],
    ['¿Qué compraron para el reparto de flores?', 'camión'],
    ['¿Cuándo está cerrada la floristeria?', 'lunes'],
    ['¿De quién era el gato que ha muerto?', 'Ortega'],
    ['¿Con quien esta casada la hermana de Diego?', 'médico'],
    ['¿A qué es alergica Lucia?', 'mariscos'],
    ['¿Qué errores encontraron los contables?', 'renta'],
    ['¿Cuántas enfermeras contratarán?', 'enfermeras'],
    ['¿Qué canción hace llorar a Diego?', 'abuela']
  ]
}
