export const fr = `
phone: téléphone, tél, tel, portable, mobile, numéro de téléphone, numéro de portable, whatsapp / nouveau numéro, mon
numéro, son numéro, changé de numéro, joignable au | joindre, joins, rappeler, contacter, quel numéro; email: e-mail, email, mail,
courriel, adresse e-mail, adresse mail; address: adresse, domicile / habite, habitent, habitait, habiter, vit à, vit au,
déménag*, réside, s'installe, emménag* | où vit; birth: date de naissance, naissance, âge, anniversaire / né le, née le,
ans révolus | quel âge; name: nom, prénom, nom de famille, nom complet | s'appelle, appelle; job: profession, métier,
emploi, employeur, poste, société, entreprise, fonction / travaille, embauché* | dans la vie; contact: contact, personne
de contact, interlocut*, référent*, responsable / suivi par, suivie par, pris en charge par | à qui parler, à qui écrire, qui contacter, qui s'occupe; insurer:
assurance, assureur, mutuelle, complémentaire / assuré*; policy: police, numéro de police, numéro de contrat, numéro
d'adhérent, numéro de membre, numéro de client, numéro client, numéro d'assuré, numéro de sécurité sociale; id: pièce d'identité, carte d'identité, passeport, numéro de passeport, siret, siren, numéro de tva, numéro fiscal, iban; appointment:
rendez-vous, rdv, réservation, visite, séance, consultation, arrivée, départ / réserv*, décalé*, reporté*, déplacé*,
prévu* le | quand vient, vient-elle, vient-il, à quelle date; budget: budget, prix maximum, budget maximum / jusqu'à, au
maximum; price: prix, coût, tarif, montant, devis, total, loyer, acompte, offre / coûte*, coûtait, pay*, réglé*, par
mois, par nuit | combien; allergy: allergie, allergies, intolérance, intolérances / allergique*, intolérant*; diet:
régime, régime alimentaire, alimentation / végétarien*, végan*, végétalien*, coeliaque, sans gluten, sans lactose,
halal, casher, ne mange pas | mange; condition: maladie, diagnostic, blessure, santé, antécédents / souffre, asthm*,
diabét*, enceinte, opéré*, hypertension, douleur* | problème de santé; medication: médicament, médicaments, traitement,
ordonnance / prend du, prend de, comprimés, anticoagulant*, mg, insuline; vehicle: véhicule, voiture, camionnette,
camion, fourgon, moto, modèle / conduit, roule en; plate: immatriculation, plaque, plaque d'immatriculation; order:
commande, numéro de commande, ticket, dossier, numéro de dossier, référence; invoice: facture, numéro de facture; plan:
formule, abonnement, forfait, adhésion, offre, plan / souscri*, inscri*, passe à la formule; seats: personnes, couverts,
places, licences, utilisateurs, convives, invités, participants, nombre de personnes / adultes, enfants, table pour,
réserve pour, nous serons | combien de personnes; area: quartier, secteur, zone, région, destination, arrondissement,
ville; room: box, emplacement, garde-meuble, chambre, table, salle, suite, salon, appartement, casier; goal: objectif, but, recherche, souhait / veut,
souhaite, voudrait; pet: animal, chien, chienne, chat, chatte, race / chiot, chaton, lapin, cheval; relative: mari,
époux, épouse, femme, conjoint*, compagn*, fils, fille, enfant, enfants, mère, père, frère, soeur, cousin*, oncle,
tante, grand-mère, grand-père / marié*; preference: préférence, préférences, préfère, disponibilités, disponibilité /
voudrais, plutôt, de préférence, mieux le, uniquement | contacté*, joindre; language: langue, langues / parle; supplier:
fournisseur, prestataire / fournit; opening: horaires, heures d'ouverture, livraison, livraisons, jours de livraison /
ouvert*, fermé*, livr*; code: code, code d'accès, code d'entrée, digicode, mot de passe, numéro de série; renewal:
renouvellement, contrat, échéance, date de début, date de fin, expiration / renouvel*, expire, valable jusqu*,
reconduit; negation: ne, n'*, pas, aucun*, sans, jamais, ni, rien, personne, non; change: désormais, maintenant,
finalement, dorénavant, nouveau, nouvel, nouvelle, ne plus, n'est plus, plus le, au lieu de, plutôt que, chang*,
modifi*, annul*, déplacé*, reporté*, décalé*, corrig*, erreur, passe à, à partir de, déménag*, remplac*, rectif*;
cancelled: annul*, résili*, ne plus, abandon*, renonc*, désist*; before: avant, auparavant, d'abord, au début, initial*,
ancien*, précédent*, original*, première*, premier*, au départ, autrefois; titles: m, mr, mme, mlle, monsieur, madame,
mademoiselle, dr, docteur, docteure, pr, professeur, maître, me; heads: appel, résumé d'appel, résumé de l'appel, compte
rendu, résumé, note, visite, accueil, réception, objet, rappel, important, attention, date, question, réponse, message,
remarque, dossier, rectification, correction, info, problème, demande, suivi, locataire, élève, adhérent, compte, motif;
customers: client, cliente, patient, patiente; articles: le, la, les, un, une, du, des, au; agents: agent, agente,
assistant, assistante, conseiller, conseillère, opérateur, opératrice, support, système, employé, employée; self: je,
j'*, mon, ma, mes, moi, nous, notre, nos, m'*; they: il, elle, ils, elles, son, sa, ses, leur, leurs, lui`
