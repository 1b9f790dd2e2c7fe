export const es = `
phone: teléfono, teléfono de contacto, número de teléfono, tel, tfno, móvil, celular, número de móvil, número de
celular, whatsapp / nuevo número, número nuevo, mi número, su número, cambiado de número, cambia de número | localizo,
localizar, contactar, contacto con, llamar a, hablar con, qué número, número ~ llamar, número ~ marc*; email: correo, correo electrónico, e-mail, email, mail; address:
dirección, domicilio / vive, vivo, viven, vivía, vivir, vivimos, se muda, me mudo, mudado, mudó, mudanza, reside, se
traslada | dónde vive; birth: fecha de nacimiento, nacimiento, edad, cumpleaños / nació, nacid*, años de edad | cuántos
años; name: nombre, apellido, apellidos, nombre completo | se llama, llama; job: profesión, ocupación, trabajo, empleo,
puesto, empresa, cargo / trabaja, trabajo en, trabajo como, trabajo de, me dedico | se dedica, dedica; contact:
contacto, persona de contacto, contacto técnico, responsable, interlocutor*, encargad* / profesor asignado, asignado a, asignada a, a cargo de, atendido por, atendida por | con quién hablo, a quién
escribo, a quién me dirijo, quién lleva; insurer: seguro, seguro médico, aseguradora, compañía de seguros, mutua /
asegurad*; policy: póliza, número de póliza, número de socio, número de socia, número de afiliado, número de cliente,
número de tarjeta; id: dni, nif, nie, cif, pasaporte, número de pasaporte, número de identificación, número de la seguridad social, iban, cédula, rfc, curp; appointment: cita, reserva, visita, consulta, turno, sesión, entrada / reservad*, agendad*, aplaza*,
cambiada al, cambiada para, pide hora, pedir hora, queda confirmada | para qué día, cuándo es; budget: presupuesto,
presupuesto máximo, precio máximo / llegar hasta, gastar hasta, como máximo, máximo; price: precio, coste, costo,
importe, tarifa, total, alquiler, oferta, fianza / cuesta*, costaba, costó, paga, pagó, pagado, cobra*, al mes, por
noche | cuánto, ofreció; allergy: alergia, alergias, intolerancia, intolerancias / alérgic*, intolerante*; diet: dieta,
alimentación / vegetarian*, vegan*, celíac*, sin gluten, sin lactosa, no come | come; condition: enfermedad,
diagnóstico, lesión, salud, antecedentes / padece, sufre, dolor de, asma, diabet*, embaraz*, tendinitis, operad*,
lesion*, hipertens* | problema de salud, le duele; medication: medicación, medicamento, medicamentos, medicina, receta /
toma, pastillas, mg, anticoagulante*, insulina; vehicle: vehículo, coche, carro, auto, furgoneta, camioneta, camión,
moto, modelo / conduce, maneja; plate: matrícula, placa, patente; order: pedido, número de pedido, incidencia, número de
incidencia, expediente, referencia, localizador; invoice: factura, número de factura; plan: plan, suscripción, abono,
membresía, cuota, paquete, bono / se inscri*, inscrit*, cambiarme al, pasarme al; seats: personas, plazas, comensales,
licencias, usuarios, asientos, invitados, viajeros, alumnos, número de personas / adultos, niños, seremos, somos |
cuántas personas, cuántos son; area: zona, barrio, distrito, ubicación, destino, región / busco en, miraría en, buscamos
en | en qué zona; room: box, trastero, plaza de garaje, habitación, mesa, sala, local, taquilla; goal: objetivo, meta, busca, interés, interesad* en /
quiere, quiero, queremos, desea; pet: mascota, perro, perra, gato, gata, animal, raza / cachorro, conejo, caballo;
relative: marido, esposo, esposa, mujer, pareja, hijo, hija, hijos, madre, padre, hermano, hermana, primo, prima, tío,
tía, abuelo, abuela, sobrino, sobrina, novio, novia / casad*, familia; preference: preferencia, preferencias, prefiere,
disponibilidad, horario preferido / prefiero, preferimos, mejor por, solo puede, solo puedo, solo por, en vez de llamar
| contactar, avisar; language: idioma, idiomas, lengua / habla, hablo; supplier: proveedor, proveedora / suministra, nos
sirve; opening: horario, horarios, horario de apertura, entrega, entregas / abre, cierra, reparte*, entrega los; code:
código, código de acceso, código de la puerta, clave, contraseña, pin, número de serie; renewal: renovación, fecha de
renovación, contrato, vencimiento, caducidad, fecha de inicio, fecha de fin / renueva, vence, caduca, válido hasta;
negation: no, ni, sin, nunca, nadie, ningún, ninguna, ninguno, nada, tampoco, jamás; change: ahora, ya no, cambi*,
nuevo, nueva, en vez de, en lugar de, corrige, corrección, por error, al final, finalmente, pasa a, pasó a, aplaza*,
cancel*, anul*, actualiza*, traslad*, sube, baja, mudado, desde hoy, a partir de ahora, sino; cancelled: cancel*, anul*,
ya no, rechaza*, dejó, ha dejado, descarta*, renunci*; before: antes, anterior*, primero, primera, al principio,
original*, inicial*, previ*, antigu*, en un principio; titles: sr, sra, srta, señor, señora, señorita, don, doña, dr,
dra, doctor, doctora, profesor, profesora, d; heads: llamada, resumen de llamada, resumen de la llamada, resumen, nota,
notas, visita, ficha, recepción, incidencia, importante, asunto, recordatorio, fecha, pregunta, respuesta, hora,
reunión, mensaje, problema, pendiente, seguimiento, corrección, actualización, alumno, alumna, socio, socia, titular,
cuenta, aviso, motivo, observaciones, inquilino; customers: cliente, clienta, paciente, huésped; articles: el, la, los,
las, un, una, del; agents: agente, asistente, operador, operadora, soporte, sistema, empleado, empleada, recepcionista,
asesor, asesora; self: yo, mi, mis, me, nosotros, nosotras, nuestro, nuestra, nos, soy, tengo, somos, tenemos, estoy;
they: él, ella, ellos, ellas, su, sus, le, les`
