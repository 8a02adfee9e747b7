/** The words of figures and of topics without an answer. */
export const insightsEn = {
  title: 'Insights',
  none: 'Nobody has asked anything in these days.',
  from: 'From',
  to: 'To',
  days: (days: number) => (days === 365 ? '1 year' : `${days} days`),
  span: (from: string, to: string, zone: string) =>
    `${from} to ${to}, days in the time zone ${zone}. Without the command line and without small talk.`,
  byDay: 'Questions by day',
  chart:
    'Bars with the questions of each day, answered and unanswered. The table below has the numbers.',
  unanswered: 'Without an answer',
  helpful: 'Helpful / not',
  noApp: 'No app',
  csv: (table: string) => `Download as CSV: ${table}`,
  tables: { app: 'App', channel: 'Where', language: 'Language', day: 'Day' },
  by: { app: 'By app', channel: 'By channel', language: 'By language', day: 'By day' },
  languages: { en: 'English', es: 'Spanish', de: 'German', other: 'Other' },
  figures: {
    questions: 'Questions',
    answered: 'Answered',
    unsupported: 'Not borne out',
    up: 'Helpful',
    down: 'Not helpful',
    conversations: 'Conversations',
    settled: 'Settled without a person',
    handedOver: 'Handed over',
    units: 'Units used',
  },
  notes: {
    of: (total: string) => `of ${total}`,
    conversations: (count: string) => `in conversations: ${count}`,
    median: (time: string) => `answered after ${time} (median)`,
    rated: (rated: string, total: string) => `rated: ${rated} of ${total}`,
    units: 'of the model, all payers',
  },
};
