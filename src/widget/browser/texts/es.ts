import type { ButtonTexts, PanelTexts } from './texts.js';

export const esButton: ButtonTexts = {
  title: 'Asistente',
  open: 'Abrir el asistente',
  close: 'Cerrar el asistente',
  unread: (n) => (n === 1 ? '1 mensaje sin leer' : `${n} mensajes sin leer`),
  lost: 'No se ha podido cargar el asistente. Compruebe la conexión e inténtelo de nuevo.',
};

export const es: PanelTexts = {
  menu: 'Menú',
  back: 'Volver',
  help: 'Ayuda',
  retry: 'Reintentar',

  greeting: '¡Hola! ¿En qué puedo ayudar?',
  suggestions: 'Preguntas sugeridas',
  placeholder: 'Escribir una pregunta…',
  send: 'Enviar',
  stop: 'Detener la respuesta',
  charactersLeft: (n) => (n === 1 ? 'Queda 1 carácter' : `Quedan ${n} caracteres`),
  tooLong: (n) => `Demasiado largo: máximo ${n} caracteres.`,
  latest: 'Ir al final',

  messages: 'Mensajes',
  you: 'Usuario',
  assistant: 'Asistente',
  newConversation: 'Nueva conversación',
  conversations: 'Conversaciones',
  noConversations: 'Aún no hay conversaciones.',
  conversationsFailed: 'No se han podido cargar las conversaciones.',
  restoring: 'Cargando la conversación…',

  waiting: 'Pensando…',
  waitingQueue: 'Hay muchas preguntas en este momento. La respuesta llegará en breve…',
  waitingModel: 'Iniciando, puede tardar un momento…',
  incomplete: 'Esta respuesta está incompleta.',
  stopped: 'Ha detenido esta respuesta.',
  brokeOff: 'Esta respuesta se ha interrumpido por un error.',
  quoted: 'Citado de las fuentes.',
  unsupported: 'Las fuentes no respaldan las frases marcadas como «sin confirmar».',
  unconfirmed: 'sin confirmar',
  sources: 'Fuentes',
  source: (n) => `Fuente ${n}`,
  pages: (from, to) => (from === to ? `pág. ${from}` : `págs. ${from}-${to}`),
  copy: 'Copiar',
  copied: 'Copiado',
  helpful: 'Útil',
  notHelpful: 'No es útil',

  askPerson: 'Preguntar a una persona',
  askPersonNote: 'Alguien puede investigarlo. La respuesta aparecerá aquí.',
  askPersonEmail: 'Correo para la respuesta (opcional)',
  emailWrong: 'Compruebe la dirección de correo.',
  asking: 'Enviando la pregunta…',
  asked: 'Pregunta enviada. La respuesta aparecerá aquí.',
  askFailed: 'No se ha podido enviar la pregunta.',
  notifications: 'Respuestas recibidas',
  noNotifications: 'Aún no hay respuestas.',
  notified: 'Una pregunta ha recibido respuesta.',

  signIn: 'Iniciar sesión',
  signOut: 'Cerrar sesión',
  signedInAs: (name) => `Sesión iniciada como ${name}`,
  email: 'Correo electrónico',
  password: 'Contraseña',
  signInWrong: 'El correo o la contraseña no son correctos.',
  signInFailed: 'No se ha podido iniciar sesión. Conviene probar más tarde.',

  reconnecting: 'Se ha perdido la conexión. Reconectando…',
  offline: 'Sin conexión. Los mensajes se enviarán más tarde.',
  queued: 'Se enviará al recuperar la conexión',
  failed: 'Algo ha fallado. Conviene intentarlo de nuevo.',
  timeout: 'No ha llegado ninguna respuesta. Conviene intentarlo de nuevo.',
  rateLimited: (seconds) =>
    `Demasiados mensajes. Se podrá continuar en ${seconds} ${seconds === 1 ? 'segundo' : 'segundos'}.`,
  refused: 'El asistente no está disponible en esta página.',

  loading: 'Cargando…',
  markRead: 'Marcar como leída',
};

export { es as part };
