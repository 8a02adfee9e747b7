import type { Texts } from './en.js';

export const insightsEs: Texts['insights'] = {
  title: 'Estadísticas',
  none: 'Nadie ha preguntado nada en estos días.',
  from: 'Desde',
  to: 'Hasta',
  days: (days) => (days === 365 ? '1 año' : `${days} días`),
  span: (from, to, zone) =>
    `Del ${from} al ${to}, días en la zona horaria ${zone}. Sin la línea de órdenes y sin charla.`,
  byDay: 'Preguntas por día',
  chart:
    'Barras con las preguntas de cada día, con y sin respuesta. La tabla de abajo contiene los números.',
  unanswered: 'Sin respuesta',
  helpful: 'Útil / no útil',
  noApp: 'Ninguna aplicación',
  csv: (table) => `Descargar como CSV: ${table}`,
  tables: { app: 'Aplicación', channel: 'Dónde', language: 'Idioma', day: 'Día' },
  by: { app: 'Por aplicación', channel: 'Por canal', language: 'Por idioma', day: 'Por día' },
  languages: { en: 'Inglés', es: 'Español', de: 'Alemán', other: 'Otro' },
  figures: {
    questions: 'Preguntas',
    answered: 'Respondidas',
    unsupported: 'Sin respaldo',
    up: 'Útiles',
    down: 'No útiles',
    conversations: 'Conversaciones',
    settled: 'Resueltas sin una persona',
    handedOver: 'Pasadas a una persona',
    units: 'Unidades usadas',
  },
  notes: {
    of: (total) => `de ${total}`,
    conversations: (count) => `en conversaciones: ${count}`,
    median: (time) => `respondidas tras ${time} (mediana)`,
    rated: (rated, total) => `valoradas: ${rated} de ${total}`,
    units: 'del modelo, de todos los que pagan',
  },
};
