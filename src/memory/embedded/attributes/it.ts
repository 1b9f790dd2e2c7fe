export const it = `
phone: telefono, tel, cellulare, numero di telefono, numero di cellulare, recapito, whatsapp / nuovo numero, mio numero,
suo numero, cambiato numero | contattare, contatto, raggiungere, richiamare; email: e-mail, email, mail, posta
elettronica, indirizzo e-mail, indirizzo email; address: indirizzo, residenza, domicilio / abita, abito, vive a, vivo a,
vive in, trasferi*, traslocat*, risiede | dove abita, dove vive; birth: data di nascita, nascita, età, compleanno / nato
il, nata il | quanti anni; name: nome, cognome, nome completo | si chiama, chiama; job: professione, lavoro, impiego,
azienda, ditta, ruolo / lavora, lavoro come, lavoro presso, lavoro per; contact: contatto, referente, persona di
contatto, responsabile / seguito da, seguita da | con chi parlo, a chi scrivo, chi segue; insurer: assicurazione, assicuratore, compagnia
assicurativa / assicurat*; policy: polizza, numero di polizza, numero cliente, numero tessera, numero di tessera, numero
di socio; id: codice fiscale, partita iva, carta d'identità, passaporto, iban; appointment: appuntamento, prenotazione, visita, seduta, arrivo, partenza / prenotat*, spostat*, rinviat*,
fissat* | per quale giorno; budget: budget, prezzo massimo / al massimo, spendere fino a, fino a; price: prezzo, costo,
importo, tariffa, totale, preventivo, affitto, caparra, offerta / costa*, pagat*, paga, pago, al mese, a notte | quanto;
allergy: allergia, allergie, intolleranza, intolleranze / allergic*, intollerant*; diet: dieta, alimentazione /
vegetarian*, vegan*, celiac*, senza glutine, senza lattosio, non mangia | mangia; condition: malattia, diagnosi,
infortunio, salute, patologia / soffre, asma, diabet*, incinta, operat*, dolore, ipertens*; medication: farmaco,
farmaci, medicina, terapia, ricetta / prende, compresse, mg, anticoagulant*, insulina; vehicle: veicolo, auto,
automobile, macchina, furgone, camion, moto, modello / guida; plate: targa; order: ordine, numero ordine, numero
d'ordine, pratica, ticket, riferimento; invoice: fattura, numero fattura; plan: piano, abbonamento, pacchetto,
iscrizione, tessera / iscritt*, passa al, passato al; seats: persone, posti, coperti, licenze, utenti, ospiti, numero di
persone / adulti, bambini, tavolo per, saremo | quante persone; area: zona, quartiere, località, destinazione, regione;
room: box, posto auto, camera, stanza, tavolo, sala, armadietto, appartamento; goal: obiettivo, scopo, cerca / vuole, vorrebbe, desidera;
pet: animale, cane, gatto, gatta, razza / cucciolo, coniglio, cavallo; relative: marito, moglie, compagn*, figlio,
figlia, figli, madre, padre, fratello, sorella, cugin*, zio, zia, nonno, nonna, nipote / sposat*; preference:
preferenza, preferenze, preferisce, disponibilità / preferisco, piuttosto, meglio di, solo di | contattat*; language:
lingua, lingue / parla; supplier: fornitore, fornitrice / fornisce; opening: orario, orari, orari di apertura, consegna,
consegne / aperto, chiuso, consegna*; code: codice, codice di accesso, codice cancello, password, pin, numero di serie;
renewal: rinnovo, contratto, scadenza, data di inizio, data di fine / rinnova*, scade, valido fino; negation: non, no,
senza, mai, nessun*, niente, né, nemmeno; change: ora, adesso, non più, nuovo, nuova, invece, cambi*, spostat*,
rinviat*, annullat*, disdett*, correzione, corregg*, per errore, alla fine, passat*, trasferi*, d'ora in poi, aggiorn*;
cancelled: annull*, disd*, cancell*, non più, rinunci*; before: prima, precedent*, inizial*, original*, all'inizio,
vecchi*, un tempo, in origine; titles: sig, sig.ra, signor, signora, signore, signorina, dott, dott.ssa, dottor,
dottore, dottoressa, prof, professor, professoressa, avv; heads: chiamata, riepilogo chiamata, riepilogo della chiamata,
riassunto, nota, visita, scheda, oggetto, promemoria, data, domanda, risposta, messaggio, correzione, aggiornamento,
importante, attenzione, problema, richiesta, inquilino, motivo; customers: cliente, paziente, ospite; agents: agente,
assistente, operatore, operatrice, supporto, sistema, addetto, addetta, consulente; self: io, mio, mia, miei, mie, mi,
noi, nostro, nostra, ci, sono, ho, siamo, abbiamo; they: lui, lei, loro, suo, sua, suoi, sue, gli`
