/** The words of the checklist of a new installation. */
export const checklistEn = {
  title: 'Set up your assistant',
  progress: (done: string, all: string) => `${done} of ${all} steps are done`,
  done: 'Done',
  open: 'To do',
  hide: 'Hide this list',
  show: 'Show the steps of the set-up',
  steps: {
    domain: ['Add the domain of your site', 'It says which pages may show the widget.'],
    document: ['Upload a document', 'A PDF manual is a good start.'],
    review: ['Review its drafts', 'Answers use only what you have accepted.'],
    answer: ['Ask a question', 'See that it is answered from your knowledge.'],
    key: ['Make a widget key', 'It lets your pages show the widget.'],
    seen: ['Put the widget on a page', 'Done when somebody opens the widget there.'],
    person: ['Add a second person', 'So that somebody can help when you are away.'],
    messages: [
      'Set up e-mail or a webhook',
      'So that people are told when their question is answered.',
    ],
    backup: ['Make a backup', 'Not older than a week. It can be made each night: assistant backup'],
  } satisfies Record<string, readonly [title: string, hint: string]>,
  deliveries: (count: string) => `Messages that could not be delivered: ${count}`,
};
