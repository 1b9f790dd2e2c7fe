import type { LanguageSample } from './sample.ts'

export const italian: LanguageSample = {
  name: 'Italian',
  code: 'it',
  memories: [
    "Giulia: A marzo abbiamo trasferito l'ambulatorio in via Garibaldi.",
    'Giulia: Le mie figlie studiano il pianoforte da due anni.',
    'Marco: Ieri ho comprato due forni nuovi per la panetteria.',
    'Marco: La panetteria resta chiusa il lunedì.',
    'Giulia: Il gatto della signora Ferri è morto domenica.',
    'Marco: Mia sorella ha sposato un medico di Torino.',
    'Giulia: I pazienti si lamentano perché nessuno risponde al telefono.',
    'Marco: Abbiamo venduto il vecchio furgone a un fioraio.',
    'Giulia: Sono allergica alle fragole fin da bambina.',
    'Marco: La commercialista ha trovato un errore nella dichiarazione dei redditi.',
    "Giulia: L'assicurazione si è rifiutata di pagare la riparazione dell'ecografo.",
    'Marco: Vogliamo un agente vocale che prenda gli ordini di notte.',
    'Giulia: Ho corso la mia prima maratona a Firenze.',
    'Marco: Mio nonno è cresciuto in un villaggio della Calabria.',
    "Giulia: Prima dell'estate assumeremo due infermiere.",
    "Marco: L'impastatrice si è rotta di nuovo, il tecnico passa giovedì.",
    'Giulia: Le fatture vanno inviate a conti@ambulatorioluna.example.',
    'Marco: I clienti preferiscono il pane integrale.',
    'Ok, grazie!',
    'Giulia: Adesso siamo aperti anche il sabato mattina.'
  ],
  questions: [
    ["Dove si è trasferito l'ambulatorio?", 'Garibaldi'],
    ['Quale strumento studia la figlia di Giulia?', 'pianoforte'],
    ['Che forno è stato comprato per la panetteria?', 'forni'],
    ['Quando chiude la panetteria?', 'lunedì'],
    ['Di chi era il gatto che è morto?', 'Ferri'],
    ['Con chi si è sposata la sorella di Marco, un medico?', 'Torino'],
    ['A chi vendettero il furgone?', 'fioraio'],
    ['Quali errori hanno trovato i commercialisti?', 'redditi'],
    ['Quante infermiere saranno assunte?', 'infermiere'],
    ['In quale villaggio crebbe il nonno?', 'Calabria']
  ]
}
