/** The words of how answers were made, of where entries are used, and of exports of conversations. */
export const answersEn = {
  firstWord: (time: string) => `first word after ${time}`,
  inAll: (time: string) => `${time} in all`,
  citing: 'Answers that cite it',
  citingTitle: (title: string) => `Answers that cite “${title}”`,
  citingNone: 'No answer has cited this entry yet.',
  citingCount: (count: string) => `Answers in all: ${count}`,
  citingAll: 'All of them',
  citingLatest: 'The latest answers that cite it',
  question: 'Question',
  noQuestion: '(The question is gone.)',
  answered: 'Answered',
  newest: 'Back to the newest',
  older: 'Older',
  use: 'Use',
  uses: { unused: 'Never used in an answer', used: 'Used in an answer' },
  commented: 'With a comment',
  download: 'Download these',
  csv: 'As CSV',
  jsonl: 'As JSON lines',
  downloadNote:
    'All questions and answers of the conversations that fit. That you download them is recorded.',
};
