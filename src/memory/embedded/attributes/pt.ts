export const pt = `
phone: telefone, telemóvel, celular, tel, número de telefone, número de telemóvel, número de celular, contacto
telefónico, whatsapp / novo número, meu número, número novo, mudou de número, mudei de número | contactar, contacto com,
contato com, falar com, ligar a, ligar para; email: e-mail, email, mail, correio eletrónico, correio eletrônico,
endereço de e-mail; address: morada, endereço, residência / mora, moro, moram, morava, vive em, vivo em, mudou-se,
mudei-me, se mudou, mudança, reside | onde mora, onde vive; birth: data de nascimento, nascimento, idade, aniversário /
nasceu, nascid*, anos de idade | quantos anos; name: nome, apelido, sobrenome, nome completo | chama-se, se chama,
chama; job: profissão, ocupação, trabalho, emprego, empresa, cargo / trabalha, trabalho em, trabalho como, trabalho na,
trabalho no; contact: contacto, contato, pessoa de contacto, pessoa de contato, responsável, interlocutor* / acompanhado por, acompanhada por, a cargo de | com quem
falo, a quem escrevo, quem trata; insurer: seguro, seguradora, seguro de saúde, plano de saúde, convênio / segurad*;
policy: apólice, número da apólice, número de apólice, número de sócio, número de sócia, número de cliente, número do
cartão, carteirinha; id: nif, cpf, cnpj, cartão de cidadão, bilhete de identidade, passaporte, contribuinte, número de contribuinte, iban; appointment: consulta, marcação, reserva, visita, agendamento, sessão, aula / marcad*, remarcad*,
agendad*, adiad*, desmarcad* | para que dia, quando é; budget: orçamento, valor máximo, preço máximo / no máximo, gastar
até; price: preço, custo, valor, tarifa, total, renda, aluguel, oferta, sinal / custa*, custou, paga, pagou, pagos,
pago, cobra*, por mês, por noite | quanto; allergy: alergia, alergias, intolerância, intolerâncias / alérgic*,
intolerante*; diet: dieta, alimentação / vegetarian*, vegan*, celíac*, sem glúten, sem lactose, não come | come;
condition: doença, diagnóstico, lesão, saúde, antecedentes / sofre, asma, diabet*, grávida, operad*, otite, dor de,
dores, hipertens* | problema de saúde; medication: medicação, medicamento, medicamentos, remédio, receita / toma,
comprimidos, mg, anticoagulante*, insulina; vehicle: veículo, carro, carrinha, camião, caminhão, mota, moto, modelo /
conduz, dirige; plate: matrícula, placa; order: encomenda, pedido, número do pedido, número da encomenda, ocorrência,
referência, processo; invoice: fatura, factura, número da fatura, nota fiscal; plan: plano, subscrição, assinatura,
mensalidade, pacote, passe / inscreveu-se, inscrit*, passou para, passar para, passar do; seats: pessoas, lugares,
licenças, utilizadores, usuários, convidados, hóspedes, número de pessoas / adultos, crianças, seremos, mesa para |
quantas pessoas; area: zona, bairro, região, localização, destino; room: box, lugar de garagem, arrumo, quarto, mesa, sala, cacifo, armário,
apartamento; goal: objetivo, objectivo, meta, procura, interesse / quer, quero, gostaria, pretende; pet: animal, animal
de estimação, cão, cachorro, cadela, gato, gata, raça / coelho, cavalo; relative: marido, esposo, esposa, mulher,
companheir*, filho, filha, filhos, mãe, pai, irmão, irmã, primo, prima, tio, tia, avô, avó, sobrinho, sobrinha, namorad*
/ casad*; preference: preferência, preferências, prefere, disponibilidade / prefiro, de preferência, só pode, só posso,
melhor às | contactad*, contatad*; language: idioma, idiomas, língua / fala, falo; supplier: fornecedor, fornecedora /
fornece; opening: horário, horários, entrega, entregas, turma / abre, fecha, entrega às; code: código, código de acesso,
código da porta, código do portão, senha, pin, palavra-passe, número de série; renewal: renovação, contrato, vencimento,
validade, data de início, data de fim / renova, vence, expira, válido até; negation: não, nem, sem, nunca, ninguém,
nenhum, nenhuma, nada, tampouco; change: agora, já não, mud*, novo, nova, em vez de, ao invés de, corrig*, correção, por
engano, afinal, finalmente, passou, passar, cancel*, adiad*, remarcad*, alter*, troc*, atualiz*, a partir de, desist*,
não é mais; cancelled: cancel*, desmarc*, desist*, anul*, já não, rescind*; before: antes, anterior*, primeiro,
primeira, no início, no começo, original*, inicial*, previamente, antig*, a princípio; titles: sr, sra, senhor, senhora,
dona, dom, dr, dra, doutor, doutora, professor, professora, prof; heads: chamada, resumo da chamada, resumo de chamada,
ligação, resumo da ligação, resumo, nota, visita, ficha, receção, recepção, assunto, lembrete, importante, atenção,
data, pergunta, resposta, mensagem, aviso, correção, atualização, problema, pedido, aluno, aluna, sócio, sócia,
inquilino, conta, observações, motivo, hora; customers: cliente, paciente, hóspede, utente; agents: agente, assistente,
atendente, operador, operadora, suporte, sistema, funcionário, funcionária, rececionista, recepcionista; self: eu, meu,
minha, meus, minhas, me, nós, nosso, nossa, nos, sou, tenho, estou, somos, temos; they: ele, ela, eles, elas, seu, sua,
seus, suas, dele, dela`
