export const en = `
phone: phone, phone number, phone no, telephone, telephone number, direct line, tel, tel no, mobile, mobile number,
mobile phone, cell, cell phone, cell number, whatsapp, contact number, call-back number / new number, my number, our
number, his number, her number, their number, old number, the number ends | 's number, number to call, number can i,
number for, number ~ call, number ~ dial, number ~ ring, number ~ use, reach, get hold of, get through to, call back, ring; email: e-mail, email, mail, e-mail address, email
address, mail address; address: address, home address, home, lives, lives at, lives in, residence / live, living, lived,
moved house, moved to, moving to, moves to, moved in, moving in, relocat*, resides, staying at ; birth: date of birth,
dob, d.o.b, birth date, birthdate, birthday, born, age / years old, turned, turns | how old; name: name, full name,
first name, last name, surname, family name, maiden name | named, called; job: job, job title, occupation, profession,
employer, position, role, company / works at, works for, works as, work at, work for, work as, working at, working for,
working as, employed, new job, self-employed | where ~ work*, who ~ work for, for a living; contact: contact, contact
person, point of contact, main contact, technical contact, billing contact, account manager, champion, person in charge
/ looked after by, handled by, assigned to, taken care of by, in charge of, successor | do i write to, do i talk to, do i speak to, do we talk to, looks after, look after; insurer:
insurance, insurer, insurance company, insurance provider, health insurance, health plan / insured, insurers; policy:
policy, policy number, policy no, member number, member no, member id, membership number, membership no, insurance
number, customer number, account number, loyalty number, card number; id: id number, id card, identity card, passport, passport number, tax number, tax id, utr, vat number, vat no, social security number, ssn, national insurance number, iban, nhs number, driving licence number; appointment: appointment, appt, booking,
reservation, visit, first visit, check-up, checkup, slot, viewing, test drive, fitting, check-in, drop-off, pick-up,
arrival, departure / booked, rebooked, rescheduled, scheduled, postponed, put back, put off, moved to, set for, moved
from, brought forward, reserved, is due | when is, when was, to what day; budget: budget, max budget, maximum price,
price limit, price range / can spend, spend up to, go up to, afford; price: price, cost, costs, fee, rate, total, new
total, estimate, quote, revised quote, balance, deposit, offer, rent, salary, price per seat, amount / paid, pays,
charged, owes, per month, per night | pay, how much, charge; allergy: allergy, allergies, intolerance, intolerances /
allergic, intolerant; diet: diet, dietary, dietary requirements, dietary needs, food preferences / vegan*, vegetarian*,
pescatarian*, coeliac, celiac, gluten-free, halal, kosher, lactose-free, does not eat, do not eat, doesn't eat, don't
eat | eat; condition: condition, medical condition, diagnosis, medical history, symptoms, injury, health / suffers from,
suffer from, diagnosed with, asthma*, diabet*, pregnan*, epilep*, migraine*, arthritis, injur*, surgery, pacemaker, bad
knee, bad back | health problem*; medication: medication, medications, medicine, medicines, prescription, drug / takes,
tablets, pills, blood thinner, mg, antibiotic*, insulin; vehicle: vehicle, car, van, truck, motorbike, motorcycle, bike,
model, make and model / drives, drive, driving, pickup; plate: plate, plates, licence plate, license plate, number
plate, registration, registration number, reg; order: order, order number, order no, ticket, ticket number, case number,
reference, reference number, claim number, tracking number, booking number, confirmation number; invoice: invoice,
invoice number, invoice no, bill; plan: plan, membership, subscription, package, tier, edition, tariff / upgraded,
downgraded, signed up for, switch me to; seats: seats, licences, licenses, users, party size, guests, people, persons,
covers, number of guests, number of people, travellers, travelers, pupils, group size / table for, party of, adults,
children; area: area, neighbourhood, neighborhood, district, zone, region, destination, location, preferred area /
looking in; room: box, storage unit, parking space, pitch, berth, room, room number, room type, table, suite, unit, apartment, locker; goal: goal, goals, aim,
objective, target, looking for, interested in / wants to, hopes to; pet: pet, pets, dog, cat, animal, breed / puppy,
kitten, rabbit, parrot, hamster, horse; relative: husband, wife, spouse, partner, son, daughter, child, kids, mother,
father, mum, mom, dad, brother, sister, cousin, uncle, aunt, nephew, niece, grandmother, grandfather, fiance, fiancee,
boyfriend, girlfriend / related, married; preference: preference, preferences, prefers, preferred time, preferred
channel, availability, available / prefer, preferred, instead of calling, would rather, only come, best time, not
before, not after, only after, only before | like to be contacted, want to be contacted, be contacted, be reached, when
can; language: language, languages, native language / speaks, speak, spoken; supplier: supplier, vendor, provider /
supplies, supplied by, delivered by | buy from; opening: opening hours, opening times, hours, schedule, delivery,
delivery days, deliveries, class times / deliver, delivers, open on, opens, closed on, closes; code: code, gate code,
access code, door code, entry code, alarm code, key code, pin, wifi password, serial number; renewal: renewal, renewal
date, contract, contract date, contract end, start date, end date, expiry, expiry date, due date, renews / renew,
expires, expire, valid until, valid for, runs until; negation: no, not, none, never, without, nor, neither, cannot,
nobody, nothing, *n't; change: moved, changed, switched, now, new, instead, no longer, any more, anymore, cancelled,
canceled, correction, corrected, wrong, by mistake, actually, upgraded, downgraded, put back, postponed, rescheduled,
replaced, from now on, went from, in the end, after all, updated, revised, sold, not any more, rather than, the right
one; cancelled: cancel*, called off, no longer, withdrew, withdrawn, dropped, paused, calls off; before: before,
previously, previous, formerly, former, first, at first, original*, initial*, earlier, used to, old, in the past, back
then, in the beginning; titles: mr, mrs, ms, miss, dr, prof, professor, doctor, sir, madam, nurse, coach; heads: call,
call summary, call note, call notes, phone call, summary, visit, visit note, meeting, meeting notes, emergency call,
voicemail, chat, chat summary, front desk, reception, ticket, member, tenant, owner, student, account, note, notes,
update, reminder, important, warning, info, fyi, todo, to do, action, actions, next, next step, next steps, result,
outcome, status, topic, subject, re, fwd, fw, date, day, time, when, where, who, what, why, how, background, context,
detail, details, history, issue, problem, question, answer, request, feedback, comment, comments, caution, decision,
deadline, description, example, fact, facts, hello, hi, hint, http, https, id, idea, link, list, memo, message, number,
order, place, city, country, based, likes, dislikes, relation, event, events, p.s, ps, n.b, nb, edit, correction, quote,
hypothetical, rumor, rumour, about, from, to, cc, bcc, sent, deal, agenda, attendees, participants, follow-up, followup,
reason, step, task, timezone, tip, today, tomorrow, url, attention, organisation, organization, fax, complaint, mileage,
ask, asked, met, tell, told, spoke, called, emailed, contacted, severity, inspection, diagnosis, consultation,
treatment, delivery, payment, record; customers: customer, client, caller, user, human, lead, prospect, patient, guest,
buyer, visitor; articles: the, a, an, his, her, my, our, their; agents: assistant, agent, ai, bot, chatbot, system,
voicebot, voice agent, tool, function, model, operator, support, gpt, claude, instruction, instructions, prompt,
developer, staff, clerk; self: i, my, me, mine, we, our, us, i'm, we're, i've, we've, i'd, i'll, myself, ours; they: he,
she, they, his, her, their, he's, she's, they're, him, them`
