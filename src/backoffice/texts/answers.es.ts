import type { Texts } from './en.js';

export const answersEs: Texts['answers'] = {
  firstWord: (time) => `primera palabra a los ${time}`,
  inAll: (time) => `${time} en total`,
  citing: 'Respuestas que la citan',
  citingTitle: (title) => `Respuestas que citan «${title}»`,
  citingNone: 'Ninguna respuesta ha citado aún esta entrada.',
  citingCount: (count) => `Respuestas en total: ${count}`,
  citingAll: 'Ver todas',
  citingLatest: 'Las últimas respuestas que la citan',
  question: 'Pregunta',
  noQuestion: '(La pregunta ya no existe.)',
  answered: 'Respondida',
  newest: 'Volver a las más recientes',
  older: 'Anteriores',
  use: 'Uso',
  uses: { unused: 'Nunca usadas en una respuesta', used: 'Usadas en una respuesta' },
  counted: (count) => `Conversaciones en total: ${count}`,
  answer: 'Respuesta',
  commented: 'Con un comentario',
  download: 'Descargar estas',
  csv: 'Como CSV',
  jsonl: 'Como líneas JSON',
  downloadNote:
    'Todas las preguntas y respuestas de las conversaciones que cumplen los filtros. La descarga queda registrada.',
};
