import type { ExtensionTexts } from './texts.js';

export const es: ExtensionTexts = {
  name: 'Assistant',
  banner: {
    title: 'Vincule su cuenta',
    invitation: 'Este sitio puede reconocer su cuenta de Assistant. Usted decide en el panel.',
    open: 'Abrir el panel lateral',
    dismiss: 'Ahora no',
  },

  chat: 'Chat',
  page: 'Esta página',
  setUp: 'Configuración',
  settings: 'Ajustes',

  promises: [
    'La extensión muestra lo que su organización sabe sobre la página abierta y responde a sus preguntas.',
    'Solo ve una página cuando usted pulsa el botón de la extensión, o en los sitios que usted permita. El navegador le pregunta antes.',
    'Envía a su servicio la dirección completa de una página solo en los sitios de su organización. Nunca envía lo que usted escribe en una página.',
  ],
  signedOut: 'Inicie sesión para ver lo que sabe su organización y preguntar al respecto.',
  unreachable: 'No se puede contactar con el servicio.',
  retry: 'Reintentar',
  quota: 'Ha agotado sus preguntas de este mes.',
  refused: 'El servicio lo ha rechazado. Inténtelo más tarde.',

  loading: 'Cargando…',
  knowledgeOf: (host) => `Lo que se sabe de esta página de ${host}`,
  ofPage: 'Sobre esta página',
  ofSite: 'Sobre todo el sitio',
  noKnowledge: 'Todavía no se sabe nada de esta página.',
  unregistered: (host) => `${host} no es un sitio de su organización.`,
  noPage: 'No hay nada que mostrar para este tipo de página.',
  noAccess:
    'La extensión no puede ver esta página. Para permitirlo, pulse el botón de la extensión en la barra del navegador.',
  copy: 'Copiar',
  copied: 'Copiado',
  visibility: { public: 'Público', authenticated: 'Con sesión iniciada' },
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
    'Este sitio no está registrado para la aplicación cuya clave declara, así que no se puede vincular.',
  link: 'Vincular cuenta',
  notNow: 'Ahora no',
  linking: 'Vinculando…',
  linkedAs: (name, app) => `Vinculada con ${app} como ${name}`,
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
  serverAddress: 'Dirección de servicio',
  serverNote:
    'Por ejemplo, https://assistant.example.com. El navegador le preguntará si lo permite.',
  save: 'Guardar',
  saved: 'Guardado.',
  badAddress: 'No es una dirección. Escriba una que empiece por https://',
  plainAddress: 'Cuidado: esta dirección no está cifrada. Úsela solo en una red de confianza.',
  noPermission: 'Sin este permiso no se puede usar el servicio.',
  notAService: 'En esa dirección no responde ningún servicio de Assistant. Compruébela.',

  account: 'Cuenta',
  email: 'Correo electrónico',
  password: 'Contraseña',
  signIn: 'Iniciar sesión',
  signOut: 'Cerrar sesión',
  signedInAs: (email) => `Sesión iniciada como ${email}`,
  code: 'Código',
  codeWanted:
    'Escriba el código actual de su aplicación de autenticación o un código de recuperación.',
  needsSecondFactor:
    'Su cuenta necesita un segundo factor. Configúrelo primero y después inicie sesión aquí.',
  passwordsOff: 'Su organización no permite iniciar sesión con contraseña.',
  signInWrong: 'El correo o la contraseña no son correctos.',
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
  unlinkQuestion: (app) =>
    `¿Desvincular de ${app}? El asistente de sus sitios y esta extensión dejarán de reconocerle como la misma persona.`,
  cancel: 'Cancelar',
};
