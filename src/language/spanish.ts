import { stemmer } from '@orama/stemmers/spanish';
import type { LanguagePack } from './language-pack.js';

export const spanish: LanguagePack = {
  language: 'es',
  name: 'Spanish',
  capitalizesNouns: false,
  joinsWords: false,
  quotesEnglish: false,
  stem: stemmer,
  endings: `
    o a os as e es s ar er ir ando iendo ado ada ados adas ido ida idos idas an en amos emos imos ó ió aron ieron
    ción ciones ación aciones ión iones
  `,
  respell: (word) => [word.replace(/on$/, 'ón').replace(/ia(s?)$/, 'ía$1')],
  inflection: {
    prefix: /^$/,
    ending:
      /^(?:[aei]r|[ae][ns]?|o|[aei]mos|ando|iendo|[ai]d[ao]s?|aron|ieron|i?ó|aba[ns]?|ía[ns]?)$/,
    shortestRoot: 3,
    prefixes: [''],
    endings: ['ar', 'er', 'ir', 'an', 'en', 'a', 'e', 'o', 'amos', 'emos', 'imos', 'ando', 'iendo'],
    joined: undefined,
  },
  opposites: 'des',
  functionWords: `
    a acerca al algo alguna algunas alguno algunos ante antes aquel aquella aquí así aun aunque bajo
    bien cada casi como cómo con contra cosa cual cuál cuales cuáles cualquier cuando cuándo cuanta cuánta
    cuantas cuántas cuanto cuánto cuantos cuántos de debe deben debido debo del desde después dice dicho donde dónde
    dos durante e el él ella ellas ello ellos en encima entonces entre era eran es esa esas ese eso esos esta
    está estaba están estas este esto estos estoy fin fue fueron fui ha había han hace hacen hacer hacia hago
    hasta hay he hizo incluso la las le les lo los luego más me mediante menos mi mis mientras mismo mucha
    muchas mucho muchos muy nada ni ningún ninguna ninguno no nombre nos nosotros nuestra nuestro nunca o os
    otra otras otro otros para parte pero poco podemos por porque primer primera pudo puede pueden puedo pues
    qué que quien quién quienes quiénes quiero se sea según ser será si sí sido sin sino sobre solo sólo son
    soy su sus suya tal también tampoco tan tanto te tener tengo tiene tienen toda todas todo todos tras tres
    tu tú tus un una unas uno unos usa usan usar usted ustedes va van varios vez y ya yo
  `,
  courtesies: `
    hola buenos buenas días dias tardes noches gracias saludos adiós adios ayuda
  `,
  signs: {
    strong:
      /ñ|(?:ción|ciones|sión|siones|dad|dades|ando|iendo|ieron|aron|aba|aban|ía|ías|ían|ero|eros|ería|illo|illa|miento|mientos|ón|izar|azo|ez|ués|ico|icos|ique|anza|ancia|encia|ivo|udo)$|ue[rlnsg]|[iu]e[rnlm]t|[áéíóú]/,
    weak: /(?:os|as|o|a|ar|er|ir|es|ado|ada|ados|adas|ido|ida|idos|or|ores|al|ales|able|mente|ismo|ista|ante|on|e)$|^es[pct]|^(?:des|in|re|con)|qu[ei]|ll|rr|ie|ue|j[aeou]|gua|h[aeiou]/,
    punctuation: /[¿¡]/u,
  },
  sentences: {
    abbreviations: `apdo avda dr dra ee.uu ej exc excmo gral max prof sr sra sres srta sta sto ud uds`,
    beforeNumbers: `art c cap ed min n núm num pág págs pag ref tel tlf`,
  },
  negation: {
    words: 'nunca|jamás|sin|nada|nadie|ni|ningún|ningun[oa]s?|tampoco',
    notOnly: 'no (?:solo|sólo|solamente|únicamente)',
    turns: 'pero|sino',
  },
  conjunctions: { listing: 'y|e|o', adding: 'y|e' },
  questionWords: 'cómo|qué|cuál(?:es)?|quién(?:es)?|cuándo|dónde|cuánt[oa]s?',
  asked: {
    list: 'que (?:[\\w-]+ ){1,3}(?:hay|existen|(?:puedo|podemos|se pueden?)\\b)',
    frequency: 'con que frecuencia|cada cuanto|cuantas veces',
    duration: 'cuanto (?:tiempo|tarda|tardan|dura|duran|demora)',
    number: 'cuant[oa]s?|que (?:porcentaje|cantidad|numero|tamano|proporcion|poblacion)',
    // After another question word it does not ask for a time.
    time: 'cuando(?<!\\b(?:que|cual|cuales|como|quien|quienes|donde)\\b.*cuando)|(?:que|cual) (?:ano|fecha|dia|mes|siglo|decada|hora)|a que hora',
    reason: 'por que',
    person: 'quien(?:es)?',
    place: 'a?donde',
    way: 'como (?:puedo|podemos|se puede|se|hago|debo|\\w+o)|que (?:puedo|podemos|debo|se puede|hay que|tengo que) hacer|que hago',
    meaning:
      'que (?:es|son|significan?|quiere decir)|que hacen? (?:(?:el|la|los|las|una?) )?[\\w-]+(?=\\W*$)',
  },
  told: {
    frequency:
      'vez|veces|diari[oa]s?|semanal(?:es)?|mensual(?:es)?|anual(?:es)?|siempre|nunca|raramente|a menudo|regularmente|cada',
    duration:
      '(?:segundo|minuto|hora|dia|noche|semana|ano|decada|siglo)s?|mes(?:es)?|hasta|desde|siempre|(?:en|de) \\d{4}',
    number:
      'dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|veinte|cien|ciento|mil|mitad|tercio|ningun[oa]?|ilimitad[oa]s?|gratis|gratuit[oa]s?|tant[oa]s',
    time: [
      'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|lunes|martes|miercoles|jueves|viernes|sabado|domingo',
      '(?:siglo|decada|ano|semana|dia|noche|hora|minuto)s?|mes(?:es)?',
    ].join('|'),
    reason: 'porque|debido|ya que|puesto que|por lo que|para que|razon(?:es)?|causas?',
    way: 'pulse|haga clic|abra|ejecute|introduzca|elija|seleccione|escriba|use|utilice|instale|comando|orden',
    meaning: '(?:es|son|era|fue) (?:una?|el|la|los|las)|significa|consiste en',
  },
  change: {
    asked: '(?:cambi|modific|ajust|configur|desactiv|activ|ampli|aument|reduc)\\w*',
    told: 'ajustes?|opcion(?:es)?|cambi(?:a|e|an|en)',
  },
  permitted: {
    asked: 'subir cargar enviar añadir importar adjuntar usar utilizar pagar llevar traer',
    told: 'admitidos admiten aceptados aceptan permitidos permiten compatibles',
  },
  contrary: {
    taking: 'borrar borro borra eliminar elimino elimina quitar quito suprimir',
    making: 'crear crea añadir añade agregar',
  },
  measures: {
    most: {
      asked: 'maxim\\p{L}*|limit\\p{L}*|mayor|tope',
      told: 'como (?:máximo|mucho)|no (?:más|mayor) de|a lo sumo|máxim[oa]s?',
      beforeNumbers: 'hasta',
    },
    least: {
      asked: 'minim\\p{L}*',
      told: 'como mínimo|al menos|por lo menos|no menos de|mínim[oa]s?',
      beforeNumbers: 'desde',
    },
    size: { asked: 'tamanos?|grandes?', units: 'píxeles|hectáreas?|litros?' },
    length: { asked: 'longitud|larg[oa]', units: 'caracteres|letras|palabras|páginas' },
    weight: { asked: 'pesos?|pesan?', units: 'kilogramos?|gramos?|toneladas?' },
    price: {
      asked: 'precios?|cuestan?|costes?',
      units: 'dólares|libras|pesos?|francos|coronas|céntimos',
    },
    free: 'gratis|gratuit[oa]s?',
    lengths: 'metros?|kilómetros?|pulgadas?',
    times: 'segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?',
  },
  numbers: {
    words: 'una?|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|cien|mil',
    ofHeadings: 'dos|tres|cuatro|cinco|seis|siete',
    endings: String.raw`\.?o|\.a`,
    beforeDecades: 'los|años',
  },
  ofPage: 'esto|est[aeo]s?|aquí',
  ofSentenceBefore:
    'este|esta|estos|estas|esto|ese|esa|esos|esas|eso|él|ella|ellos|ellas|su|sus|así|además|también|por tanto|sin embargo|lo mismo|tampoco|ambos|ambas|en su lugar|de lo contrario|por eso',
  captions: 'figura|tabla',
  followUps: {
    aspects: `
      tarda tardan dura duran cuesta cuestan funciona funcionan significa significan pasa pasar ocurre lleva frecuencia
      cambiar cambia cambio cambiarlo cambiarla ajustar configurar modificar modificarlo desactivar activar
      aumentar aumento reducir reduzco ampliar amplio limite valor arreglar
      arreglo arreglarlo solucionar soluciono solucionarlo resolver resuelvo resolverlo evitar evitarlo remediar
      valido valida vale valen vigente
      diferencia diferencias explica explique explicar explicame muestra muestre ejemplo ejemplos detalle detalles exactamente gracias favor vale
      hacerlo hacer haria hago tiempo ver veo encontrar encuentro mirar miro consultar consulto
    `,
    subjects: 'producto|software|programa',
    beforeSubjects: 'el|del|al|este|su',
    beginnings: 'y|e|pero|o|entonces|tambien|que hay de|que pasa con',
    pronouns: [
      /\b(?:eso|esto|ello|aquello|es[ao]s?|est[aeo]s?|lo|ahi|alli|sus?|el mismo|la misma)\b/,
      /\b\w+(?:ar|er|ir|ando|iendo)(?:l[ao]s?|se)\b/,
    ],
    articles: 'el|la|lo|los|las',
    places: 'primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|ultim[oa]|otr[oa]',
  },
  smallTalk: {
    address: `
      todos/a_todos/equipo/asistente/amigo/amigos/mundo
      de_nuevo/otra_vez/por_favor/y/pues/bueno/entonces/hoy
    `,
    naming: `
      señor/señora/don/doña
      me_llamo/soy/mi_nombre_es
    `,
    greeting: `
      hola/holi/holaa/buenas/saludos
      buenos/muy_buenos días
      buenas/muy_buenas tardes/noches
      buen_día/qué_tal/mucho_gusto/encantado/encantada
      cómo está/estás/están/va/le_va/te_va
      hay_alguien/hay_alguien_ahí
    `,
    thanks: `
      gracias/muchas_gracias/mil_gracias/muchísimas_gracias/gracias_a_ti/gracias_a_usted
      -/muchas gracias por -/la/su/tu/toda_la ayuda/respuesta/información
      genial/perfecto/estupendo/excelente/fantástico/muy_bien/muy_amable/muy_útil
      eso_es_todo/no_gracias/me_ha_ayudado/me_ayudó_mucho
    `,
    assent: `
      sí/no/claro/claro_que_sí/quizás/quizá/tal_vez/vale/de_acuerdo/entendido/no_sé/nada/da_igual/sí_por_favor
    `,
    leave: `
      adiós/chao/chau/nos_vemos
      hasta luego/pronto/mañana/la_vista/otra/la_próxima
      que_tenga/que_tengas/que_pase un buen/feliz día/fin_de_semana
      feliz_día/feliz_tarde
    `,
    about: `
      ayuda/ayúdame/ayúdeme/necesito_ayuda/me_ayuda/me_ayudas
      quién/qué eres/es_usted
      quién_es
      cómo te_llamas/se_llama/se_llama_usted/funcionas/funciona_usted
      cuál_es tu/su nombre
      eres/es_usted -/un/una bot/robot/humano/persona/máquina/ia/persona_real
      qué puedes/puede/sabes/sabe/podrías/podría hacer -/por_mí/por_nosotros/usted/aquí/para_ayudarme
      qué_haces/qué_hace_usted/qué_sabes/qué_más_puedes_hacer/qué_más_puede_hacer/para_qué_sirves/para_qué_sirve_usted
      cómo/en_qué/con_qué me puedes/puede/podrías/podría ayudar -/hoy/usted
      cómo/en_qué/con_qué puedes/puede/podrías/podría ayudarme -/hoy/usted
      me puedes/puede/podrías/podría ayudar -/usted
      puedes/puede/podrías/podría ayudarme -/usted
      puedo preguntarte/preguntarle/preguntar algo/una_cosa
      te/le puedo preguntar algo/una_cosa
      puedo hacerte/hacerle/hacer una_pregunta/unas_preguntas/preguntas
      qué puedo preguntarte/preguntarle/preguntar -/aquí
      qué te/le puedo preguntar
      qué_preguntas puedo_hacer/puedo_hacerte/puedo_hacerle
      tengo una/alguna/unas/algunas pregunta/preguntas/duda/dudas
      quisiera/quiero preguntar/preguntarle/preguntarte algo
    `,
  },
  phrases: {
    notFound:
      'No he encontrado una respuesta a esto. Pruebe con otras palabras o pregunte a una persona.',
    hello: '¡Hola!',
    welcome: '¡De nada!',
    goodbye: '¡Hasta pronto!',
    automated: 'Soy un asistente automático.',
    answers: 'Respondo con nuestra documentación y le muestro las fuentes.',
    fine: 'De acuerdo.',
    nothingOn: 'No he encontrado nada sobre «{asked}».',
    wholeQuestion:
      '¿Qué le gustaría saber? Una pregunta completa me ayuda a encontrar la respuesta.',
    first: '¿Qué le gustaría saber?',
    further: 'Si tiene otra pregunta, hágala cuando quiera.',
    noAnswer:
      'El asistente no puede responder en este momento. Pregunte de nuevo dentro de un rato.',
    brokeOff: 'La respuesta se ha interrumpido. Pregunte de nuevo.',
    withheld:
      'Esta respuesta ya no se muestra: el conocimiento en el que se basaba se ha retirado o usted no puede verlo. Pregunte de nuevo para saber lo que consta ahora.',
  },
};
