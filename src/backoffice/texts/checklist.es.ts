import type { checklistEn } from './checklist.en.js';

export const checklistEs: typeof checklistEn = {
  title: 'Configure su asistente',
  progress: (done, all) => `${done} de ${all} pasos están hechos`,
  done: 'Hecho',
  open: 'Pendiente',
  hide: 'Ocultar esta lista',
  show: 'Mostrar los pasos de la configuración',
  steps: {
    domain: ['Añada el dominio de su sitio', 'Indica qué páginas pueden mostrar el widget.'],
    document: ['Suba un documento', 'Un manual en PDF es un buen comienzo.'],
    review: ['Revise sus borradores', 'Las respuestas solo usan lo que usted ha aceptado.'],
    answer: ['Haga una pregunta', 'Compruebe que se responde con su conocimiento.'],
    key: ['Cree una clave de widget', 'Con ella sus páginas muestran el widget.'],
    seen: ['Ponga el widget en una página', 'Hecho cuando alguien abre allí el widget.'],
    person: ['Añada a una segunda persona', 'Para que alguien pueda ayudar si usted no está.'],
    messages: [
      'Configure el correo o un webhook',
      'Para avisar a las personas cuando su pregunta tiene respuesta.',
    ],
    backup: [
      'Haga una copia de seguridad',
      'De hace una semana como máximo. Cada noche se hace con: assistant backup',
    ],
  },
  deliveries: (count) => `Mensajes que no se pudieron entregar: ${count}`,
};
