import type { OwnTexts } from './texts.js';

export const es: OwnTexts = {
  name: 'Assistant',
  banner: {
    title: 'Vincule su cuenta',
    invitation:
      'Este sitio puede reconocer su cuenta de Assistant. Usted decide en el panel lateral.',
    open: 'Abrir el panel lateral',
    dismiss: 'Ahora no',
  },

  chat: 'Chat',
  page: 'Esta página',
  setUp: 'Configurar la extensión',
  settings: 'Ajustes',

  promises: [
    'La extensión muestra lo que su organización sabe sobre la página abierta y responde a sus preguntas.',
    'Solo ve una página cuando usted pulsa el botón de la extensión, o en los sitios que usted permita. El navegador le pregunta antes.',
    'Envía a su servicio la dirección completa de una página solo en los sitios de su organización. Nunca envía lo que usted escribe en una página.',
  ],
  signedOut:
    'Inicie sesión para ver lo que su organización sabe de una página y para hacer preguntas.',
  unreachable: 'No se puede contactar con el servicio.',
  quota: 'Ha agotado sus preguntas de este mes.',
  refused: 'El servicio lo ha rechazado. Inténtelo más tarde.',

  knowledgeOf: (host) => `Lo que su organización sabe de ${host}`,
  ofPage: 'En esta página',
  ofSite: 'En este sitio',
  noKnowledge: 'Todavía no hay nada guardado sobre esta página ni sobre su sitio.',
  noneOfPage: 'No hay nada guardado sobre esta página en concreto.',
  showAll: (n) => `Mostrar todo (${n})`,
  more: 'Hay más. Pregunte en el chat para encontrarlo.',
  unregistered: (host) => `${host} no es un sitio de su organización`,
  unregisteredNote:
    'No hay nada guardado sobre este sitio. A su servicio solo se le ha preguntado por el nombre del sitio. La dirección de la página no se ha enviado.',
  noPage: 'No hay nada que mostrar para este tipo de página.',
  noAccess:
    'La extensión no puede ver esta página. Para permitirlo, pulse el botón de la extensión en la barra del navegador.',
  signedInOnly: 'Solo con sesión iniciada',
  recognise: (host) => `Reconocer siempre ${host}`,
  recogniseNote: 'El navegador le preguntará si la extensión puede ver este sitio.',

  linkTitle: (host) => `¿Vincular su cuenta con ${host}?`,
  linkSite: 'Sitio',
  linkApp: 'Aplicación',
  linkAccount: 'Su cuenta',
  linkConsequences: [
    'El asistente de este sitio y esta extensión le reconocerán como la misma persona y le mostrarán sus conversaciones de ambos. Quien gestiona el sitio puede leer lo que usted pregunte sobre él en esta extensión.',
    'La extensión pide al sitio un token firmado y lo envía a su servicio. No se envía nada más de la página.',
    'El sitio no conoce su contraseña ni puede consumir su cuota. Puede deshacerlo en los ajustes.',
  ],
  linkUnregistered:
    'En este sitio no puede vincular su cuenta: su servicio no lo conoce como sitio de esta aplicación.',
  link: 'Vincular cuenta',
  notNow: 'Ahora no',
  linking: 'Vinculando…',
  linkedAs: (name, app) => `Cuenta vinculada con ${app} como ${name}`,
  problems: {
    changed: 'La página ha cambiado entretanto. Recárguela e inténtelo de nuevo.',
    bad_endpoint:
      'La dirección que el sitio indica para su token no es válida. No se ha enviado nada.',
    cross_origin:
      'El sitio indica para su token la dirección de otro sitio. No se ha enviado nada.',
    redirect: 'El sitio redirige la petición de su token. No se ha enviado nada.',
    signed_out: 'No ha iniciado sesión en este sitio. Hágalo allí e inténtelo de nuevo.',
    bad_status: 'El sitio ha respondido con un error. No se ha enviado nada.',
    not_json: 'El sitio no ha respondido con un token, sino con una página. No se ha enviado nada.',
    too_large: 'La respuesta del sitio es demasiado grande para un token. No se ha enviado nada.',
    bad_json: 'La respuesta del sitio no se puede leer. No se ha enviado nada.',
    no_token: 'La respuesta del sitio no contiene ningún token. No se ha enviado nada.',
    timeout: 'El sitio no ha respondido a tiempo. No se ha enviado nada.',
    unreachable: 'No se puede contactar con el sitio. No se ha enviado nada.',
  },
  alreadyLinked:
    'Su cuenta en este sitio, o la persona con la que el sitio le identifica, ya está vinculada. Ese vínculo no cambia.',
  notVerified:
    'El servicio no ha podido comprobar el token del sitio. Su cuenta no está vinculada.',

  server: 'Servicio',
  serverAddress: 'Dirección del servicio',
  serverNote:
    'Su organización le da esta dirección. Al guardarla, el navegador pregunta si la extensión puede acceder a ella.',
  save: 'Guardar',
  saved: 'Guardado.',
  badAddress: 'No es una dirección. Tiene este aspecto: https://assistant.example.com',
  plainAddress: 'Cuidado: esta dirección no está cifrada. Úsela solo en una red de confianza.',
  noPermission:
    'La extensión necesita este permiso para acceder al servicio. Guarde otra vez para que se le pregunte de nuevo.',
  notAService: (url) =>
    `En ${url} no responde ningún servicio de Assistant. Compruebe la dirección.`,

  account: 'Cuenta',
  code: 'Código',
  codeWanted:
    'Escriba el código actual de su aplicación de autenticación o un código de recuperación.',
  needsSecondFactor:
    'Su cuenta necesita un segundo factor. Configúrelo primero y después inicie sesión aquí.',
  passwordsOff: 'Su organización no permite iniciar sesión con contraseña.',
  tooMany: 'Demasiados intentos. Espere un momento e inténtelo de nuevo.',

  language: 'Idioma',
  languageAuto: 'Igual que el navegador',

  sites: 'Sitios que la extensión puede ver',
  sitesNote:
    'En estos sitios, la extensión comprueba por sí misma si puede vincular su cuenta. En los demás, solo ve una página después de que usted pulse su botón.',
  noSites: 'Ninguno.',
  forget: 'Quitar',
  forgetSite: (site) => `Quitar ${site}`,
  fixedSite: 'Permitido por su organización',

  links: 'Cuentas vinculadas',
  noLinks: 'Ninguna.',
  linkSince: (date) => `desde el ${date}`,
  unlink: 'Desvincular',
  unlinkFrom: (app) => `Desvincular de ${app}`,
  unlinkQuestion: (app) => `¿Desvincular su cuenta de ${app}?`,
  unlinkNote:
    'El asistente de los sitios de la aplicación y esta extensión dejarán de reconocerle como la misma persona.',
  unlinked: (app) => `Su cuenta ya no está vinculada con ${app}.`,
};
