export const nl = `
phone: telefoon, telefoonnummer, tel, mobiel, mobiele nummer, gsm, 06-nummer, whatsapp / nieuw nummer, nieuwe nummer,
mijn nummer, zijn nummer, haar nummer | bereiken, bereik, terugbellen; email: e-mail, email, mail, e-mailadres,
mailadres; address: adres, woonplaats, woonadres / woont, woon, wonen, verhuis*, verhuizing | waar woont; birth:
geboortedatum, geboren, verjaardag, leeftijd / jaar oud | hoe oud; name: naam, achternaam, voornaam | heet; job: beroep,
werk, werkgever, bedrijf, functie, baan / werkt bij, werkt als, werk bij, werk als | werkt; contact: contact,
contactpersoon, aanspreekpunt / behandeld door, begeleid door | met wie praat, wie schrijf; insurer: verzekering, verzekeraar, zorgverzekering,
zorgverzekeraar / verzekerd; policy: polis, polisnummer, klantnummer, lidnummer, lidmaatschapsnummer,
verzekeringsnummer; id: bsn, burgerservicenummer, btw-nummer, kvk, kvk-nummer, paspoort, paspoortnummer, identiteitskaart, iban; appointment: afspraak, boeking, reservering, bezoek, bezichtiging, proefrit / geboekt, gereserveerd,
verzet, verplaatst, uitgesteld, ingepland | wanneer is; budget: budget, maximumprijs / maximaal, hooguit, tot en met;
price: prijs, kosten, bedrag, tarief, totaal, offerte, huur, aanbetaling / kost, betaal*, betaald, per maand, per nacht
| hoeveel; allergy: allergie, allergieën, intolerantie / allergisch, *allergie, *intolerant*; diet: dieet, voeding /
vegetari*, vegan*, glutenvrij, lactosevrij, halal, koosjer, eet geen | eet; condition: aandoening, diagnose, ziekte,
blessure, gezondheid, klachten / lijdt aan, astma, diabet*, zwanger, geopereerd, *pijn; medication: medicatie, medicijn,
medicijnen, recept / slikt, tabletten, pillen, bloedverdunner*, mg, insuline; vehicle: voertuig, auto, wagen, bestelbus,
busje, vrachtwagen, motor, model / rijdt; plate: kenteken, nummerplaat; order: bestelling, bestelnummer, ordernummer,
ticket, dossier, referentie; invoice: factuur, factuurnummer; plan: abonnement, lidmaatschap, pakket, plan /
overgestapt, opgewaardeerd; seats: personen, plaatsen, licenties, gebruikers, gasten, aantal personen / volwassenen,
kinderen, tafel voor | hoeveel personen; area: buurt, wijk, regio, bestemming, omgeving, locatie; room: box, opslagbox, parkeerplaats, kamer,
kamernummer, tafel, zaal, appartement, kluisje; goal: doel, zoekt, wens / wil graag, wil, zou graag; pet: huisdier,
hond, kat, dier, ras / puppy, konijn, paard; relative: man, echtgenoot, vrouw, echtgenote, partner, zoon, dochter, kind,
kinderen, moeder, vader, broer, zus, neef, nicht, oom, tante, oma, opa / getrouwd; preference: voorkeur, voorkeuren,
beschikbaarheid / liever, bij voorkeur, alleen na, alleen voor | bereiken; language: taal, talen / spreekt; supplier:
leverancier / levert; opening: openingstijden, levering, leverdagen / geopend, gesloten, leveren; code: code,
toegangscode, poortcode, deurcode, pincode, wachtwoord, serienummer; renewal: verlenging, contract, einddatum,
startdatum, vervaldatum / verlengd, verloopt, geldig tot; negation: niet, geen, zonder, nooit, niets, niemand, noch,
nee; change: nu, niet meer, nieuw, nieuwe, gewijzigd, gewisseld, verzet, verplaatst, verhuisd, in plaats van, correctie,
gecorrigeerd, geannuleerd, toch, per ongeluk, voortaan, overgestapt; cancelled: geannuleerd, annul*, afgezegd, opgezegd,
niet meer, vervallen; before: eerst, eerder*, vroeger, voorheen, oorspronkelijk*, aanvankelijk, vorige, oude; titles:
dhr, mevr, mw, meneer, mevrouw, heer, dr, dokter, prof, professor, familie; heads: gesprek, telefoongesprek,
gespreksnotitie, samenvatting, huurder, notitie, bezoek, receptie, afspraak, let op, onderwerp, belangrijk, herinnering,
datum, vraag, antwoord, bericht, correctie, probleem, opmerking, lid; customers: klant, patiënt, patiënte, gast;
articles: de, het, een; agents: agent, medewerker, medewerkster, assistent, assistente, ondersteuning, systeem,
adviseur; self: ik, mijn, mij, me, wij, we, ons, onze; they: hij, zij, ze, zijn, haar, hun, hem`
