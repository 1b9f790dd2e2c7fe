export const de = `
phone: telefon, telefonnummer, tel, handy, handynummer, mobil, mobilnummer, rufnummer, festnetz, whatsapp, rückruf unter
/ neue nummer, meine nummer, ihre nummer, seine nummer, alte nummer, nummer ist jetzt, erreichbar unter | erreiche,
erreichen, zurückrufen, durchwahl, welche nummer, nummer hat; email: e-mail, email, mail, e-mail-adresse, mailadresse; address: adresse, anschrift,
wohnort, wohnhaft / wohnt, wohne, wohnen, wohnte, umgezogen, zieht um, zieht nach, umzug, gezogen nach, ziehe* nach | wo
wohnt; birth: geburtsdatum, geburtstag, geboren, geb, alter / jahre alt | wie alt; name: name, nachname, vorname,
familienname, mädchenname | heißt, heissen; job: beruf, arbeit, arbeitgeber, firma, position, stelle, tätigkeit /
arbeitet bei, arbeitet als, arbeite bei, arbeite als, angestellt, berufstätig, selbstständig | arbeitet, beruflich;
contact: kontakt, ansprechpartner*, kontaktperson, zuständig / betreut von, zuständig ist, zugeteilt | mit wem spreche, an wen wende, an wen schreibe; insurer:
versicherung, versicherer, krankenkasse, krankenversicherung, kasse / versichert; policy: police, policennummer,
versicherungsnummer, versichertennummer, mitgliedsnummer, kundennummer, vertragsnummer, kartennummer; id: ausweis, ausweisnummer, personalausweis, reisepass, passnummer, steuernummer, steuer-id, ust-id, ustid, umsatzsteuer-id, sozialversicherungsnummer, iban; appointment:
termin, buchung, reservierung, besuch, probefahrt, besichtigung, anreise, abreise / gebucht, reserviert, verlegt,
verschoben, vereinbart, termin steht | wann ist, auf welchen tag; budget: budget, höchstpreis, preisrahmen, preislimit /
höchstens, bis zu, kann ~ bis, können ~ bis, kann bis, ausgeben | darf kosten, kosten darf; price: preis, kosten,
betrag, gebühr, tarif, summe, gesamt, angebot, kostenvoranschlag, miete, anzahlung, honorar / kostet*, bezahlt*, zahlt*,
pro monat, pro nacht | wie viel, wieviel, kosteten; allergy: allergie, allergien, unverträglichkeit,
unverträglichkeiten, intoleranz / allergisch, *allergie, *intoleranz, verträgt kein*; diet: ernährung, diät, kost /
vegetarisch*, vegetarier*, vegan*, glutenfrei, laktosefrei, halal, koscher, isst kein* | isst; condition: diagnose,
erkrankung, krankheit, vorerkrankung*, beschwerden, gesundheit, verletzung / leidet an, asthma, diabet*, schwanger*,
schmerzen, *schmerzen, operiert, bluthochdruck, herzschrittmacher | gesundheitlich*; medication: medikament,
medikamente, medikation, rezept, arznei* / nimmt, tabletten, blutverdünner, mg, insulin; vehicle: fahrzeug, auto, wagen,
pkw, lkw, transporter, kombi, motorrad, modell / fährt, fahre | *auto; plate: kennzeichen, nummernschild,
autokennzeichen; order: bestellung, bestellnummer, auftrag, auftragsnummer, vorgang, vorgangsnummer, ticket, referenz,
schadennummer, sendungsnummer; invoice: rechnung, rechnungsnummer; plan: plan, abo, abonnement, tarif, mitgliedschaft,
paket / gewechselt auf, wechselt auf, hochgestuft; seats: personen, plätze, lizenzen, gäste, sitze, nutzer, benutzer,
teilnehmer, personenzahl / erwachsene, kinder, zu zweit, tisch für; area: gegend, lage, stadtteil, viertel, bezirk,
region, reiseziel, ziel, standort; room: box, stellplatz, lagerbox, parkplatz, fach, zimmer, zimmernummer, tisch, suite, wohnung, saal, raum, spind, platz / lagern,
eingelagert; goal: ziel, wunsch, sucht, gesucht, interesse / möchte, will; pet: haustier, hund, katze, tier, rasse /
welpe, kater, kaninchen, pferd; relative: mann, ehemann, ehefrau, partner*, sohn, tochter, kind, kinder, mutter, vater,
bruder, schwester, cousin*, onkel, tante, oma, opa, neffe, nichte / verheiratet, verwandt, meine frau, seine frau, die
frau, frau von, deine frau; preference: präferenz, vorliebe, bevorzugt, wunschtermin, erreichbarkeit / bevorzuge,
lieber, am liebsten, am besten, nur nach, nur vor, statt anruf* | kontaktiert, erreichen; language: sprache, sprachen,
muttersprache / spricht, sprechen; supplier: lieferant, lieferantin, zulieferer, händler / liefert, beliefert; opening:
öffnungszeiten, sprechzeiten, liefertage, lieferung, kurszeiten / geöffnet, geschlossen, liefern; code: code, türcode,
zugangscode, torcode, pin, passwort, seriennummer, schlüsselnummer; renewal: verlängerung, vertrag, vertragsbeginn,
vertragsende, vertragslaufzeit, laufzeit, ablaufdatum, kündigungsfrist / verlängert sich, läuft ab, läuft bis, gültig
bis; negation: nicht, kein*, ohne, nie, niemals, nichts, niemand, weder, nein; change: jetzt, nun, nicht mehr, neu,
neue*, verlegt, verschoben, geändert, gewechselt, statt, anstatt, doch, korrektur, korrigiert, storniert, abgesagt,
umgezogen, irrtümlich, sondern, ab sofort, inzwischen, stattdessen, umgestellt, erhöht, verkauft, gilt nicht; cancelled:
storn*, abgesagt, absagen, sagt ab, gekündigt, kündigt, nicht mehr, entfällt, zurückgezogen; before: zuerst, früher*,
vorher, zuvor, ursprünglich*, anfangs, ehemals, bisher*, vorherige*, alte, alten, damals; titles: herr, herrn, frau,
fräulein, dr, prof, doktor, professor, familie; heads: anruf, telefonat, gespräch, gesprächsnotiz, anrufnotiz,
telefonnotiz, zusammenfassung, mieter, mieterin, notiz, besuch, empfang, rezeption, ticket, wichtig, achtung, aufgabe,
betreff, datum, uhrzeit, frage, antwort, hinweis, info, nachricht, erinnerung, korrektur, befund, behandlung, rückruf,
mail, konto, mitglied, schüler, anliegen, problem, werkstatt, bemerkung; customers: kunde, kundin, patient, patientin,
gast; articles: der, die, das, dem, den, des, ein, eine, einen, einem, einer, im, am, zum, zur; agents: agent, agentin,
mitarbeiter, mitarbeiterin, assistent, assistentin, berater, beraterin, support, system; self: ich, mein, meine, meinen,
meinem, meiner, mir, mich, wir, unser, unsere, uns; they: er, sie, sein, seine, seiner, ihr, ihre, ihrer, ihm, ihn`
