import type { ButtonTexts, PanelTexts } from './texts.js';

export const esButton: ButtonTexts = {
  title: 'Asistente',
  open: 'Abrir el asistente',
  close: 'Cerrar el asistente',
  unread: (n) => `${n} mensaje${n === 1 ? '' : 's'} sin leer`,
  lost: 'No se ha podido cargar el asistente. Inténtelo de nuevo.',
};

export const es: PanelTexts = {
  menu: 'Menú',
  back: 'Volver',
  help: 'Ayuda',
  retry: 'Reintentar',

  greeting: '¡Hola! ¿En qué puedo ayudarle?',
  about: 'Respondo con nuestra documentación y le muestro las fuentes.',
  suggestions: 'Preguntas sugeridas',
  placeholder: 'Escriba su pregunta…',
  send: 'Enviar',
  stop: 'Detener la respuesta',
  tooLong: (n) => `Demasiado largo: máximo ${n} caracteres.`,
  latest: 'Ir al final',

  messages: 'Mensajes',
  you: 'Usted',
  newConversation: 'Nueva conversación',
  conversations: 'Conversaciones',
  nothing: 'Aún no hay nada aquí.',
  deleted: 'Esta conversación se ha eliminado.',
  delete: 'Eliminar',
  deleteThis: (title) => `¿Eliminar «${title}»?`,
  cancel: 'Cancelar',

  waiting: 'Pensando…',
  longer: 'Está tardando un poco más…',
  incomplete: 'Esta respuesta está incompleta.',
  cancelled: 'Ha detenido esta respuesta.',
  quoted: 'Cita textual de las fuentes.',
  unsupported: '«Sin confirmar»: las fuentes no lo respaldan.',
  unconfirmed: 'sin confirmar',
  sources: 'Fuentes',
  source: (n) => `Fuente ${n}`,
  pages: (from, to) => (from === to ? `pág. ${from}` : `págs. ${from}-${to}`),
  changed: 'ha cambiado',
  copy: 'Copiar',
  copied: 'Copiado',
  copyAnswer: 'Copiar respuesta',
  helpful: 'Útil',
  notHelpful: 'No es útil',
  whatWrong: '¿Qué ha fallado?',
  reasons: ['Incorrecta', 'Incompleta', 'No viene al caso', 'Poco clara'],
  comment: 'Comentario (opcional)',
  thanks: '¡Gracias!',

  askPerson: 'Preguntar a una persona',
  askPersonEmail: 'Correo para la respuesta (opcional)',
  emailWrong: 'Compruebe la dirección.',
  sending: 'Enviando la pregunta…',
  filed: 'Pregunta enviada. La respuesta aparecerá aquí.',
  person: 'Respuesta de una persona',
  notifications: 'Avisos',
  answered: 'Su pregunta ya tiene respuesta.',

  signIn: 'Iniciar sesión',
  signOut: 'Cerrar sesión',
  signedInAs: (name) => `Sesión iniciada como ${name}`,
  email: 'Correo electrónico',
  password: 'Contraseña',
  signInWrong: 'El correo o la contraseña no son correctos.',

  reconnecting: 'Se ha perdido la conexión. Reconectando…',
  offline: 'Sin conexión.',
  queued: 'Se enviará más tarde.',
  failed: 'Algo ha fallado. Inténtelo de nuevo.',
  rateLimited: (wait) => `Demasiados mensajes. Inténtelo de nuevo ${wait}.`,
  refused: 'El asistente no está disponible en esta página.',

  loading: 'Cargando…',
};

export { es as part };
