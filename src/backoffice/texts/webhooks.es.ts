import type { Texts } from './en.js';
import type { webhooksDoneEn } from './webhooks.en.js';

export const webhooksEs: Texts['webhooks'] = {
  title: 'Webhooks',
  about:
    'Un webhook es una dirección suya a la que se avisa cuando una persona responde una pregunta.',
  none: 'Todavía no hay webhooks. Añada la dirección de un programa que quiera saber de las preguntas respondidas.',
  add: 'Añadir un webhook',
  urlHint: 'Una dirección https de Internet pública, sin usuario ni contraseña.',
  states: { active: 'Activo', disabled: 'Desactivado' },
  secret: 'Secreto',
  secretTitle: 'El secreto de este webhook',
  secretAbout:
    'Copie el secreto ahora. Solo se muestra esta vez. Con él, el receptor comprueba que un mensaje viene de aquí (Standard Webhooks).',
  rotate: 'Sustituir el secreto',
  rotateHint: 'El secreto nuevo firma desde ahora. El anterior termina de inmediato.',
  end: 'Desactivar o eliminar',
  disable: 'Desactivar',
  disableHint: 'No se le envía nada hasta que se active otra vez.',
  enable: 'Activar',
  enableHint: 'Se le avisa de las preguntas que se respondan desde ahora.',
  delete: 'Eliminar este webhook',
  deleteWarning: 'Lo que aún no se ha enviado no se envía nunca.',
  deleteSurely: 'Eliminar definitivamente',
  test: 'Enviar una prueba',
  testHint: 'Envía ahora un evento firmado del tipo webhook.test y muestra la respuesta.',
  testDelivered: (status) => `La prueba ha llegado. El webhook respondió ${status}.`,
  lastDeliveries: 'Últimos envíos',
  deliveries: 'Envíos',
  deliveriesAbout:
    'Lo que se envía por correo y a webhooks cuando se responden preguntas. Un mensaje fallido se envía otra vez, cada vez más tarde.',
  noDeliveries: 'Todavía no se ha enviado nada.',
  about1: 'Asunto',
  to: 'A',
  webhook: (id) => `Webhook ${id}`,
  channel: 'Por',
  channels: { mail: 'Correo electrónico', webhook: 'Webhook' },
  statuses: { pending: 'En espera', delivered: 'Entregado', dead: 'Abandonado' },
  attempts: 'Intentos',
  last: 'Último intento',
  answered: (status) => `respondió ${status}`,
  nextAttempt: 'Próximo intento:',
  retry: 'Enviar otra vez',
  retryOf: (id) => `Enviar otra vez: envío ${id}`,
};

export const webhooksDoneEs: typeof webhooksDoneEn = {
  webhookDisabled: 'El webhook está desactivado.',
  webhookEnabled: 'El webhook está activado.',
  deliveryRetried: 'Se envía otra vez ahora.',
};
