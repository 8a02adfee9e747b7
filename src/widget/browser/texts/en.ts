import type { ButtonTexts, PanelTexts } from './texts.js';

export const enButton: ButtonTexts = {
  title: 'Assistant',
  open: 'Open assistant',
  close: 'Close assistant',
  unread: (n) => `${n} unread message${n === 1 ? '' : 's'}`,
  lost: 'The assistant could not be loaded. Please try again.',
};

export const en: PanelTexts = {
  menu: 'Menu',
  back: 'Back',
  help: 'Help',
  retry: 'Try again',

  greeting: 'Hello! How can I help?',
  about: 'I answer from our documents and show you the sources.',
  suggestions: 'Suggested questions',
  placeholder: 'Ask a question…',
  send: 'Send',
  stop: 'Stop answering',
  tooLong: (n) => `Too long: at most ${n} characters.`,
  latest: 'Jump to latest',

  messages: 'Messages',
  you: 'You',
  newConversation: 'New conversation',
  conversations: 'Conversations',
  nothing: 'Nothing here yet.',
  deleted: 'This conversation was deleted.',
  delete: 'Delete',
  deleteThis: (title) => `Delete “${title}”?`,
  cancel: 'Cancel',

  waiting: 'Thinking…',
  longer: 'This takes a little longer…',
  incomplete: 'This answer is incomplete.',
  cancelled: 'You stopped this answer.',
  quoted: 'Quoted from the sources.',
  unsupported: '“Unconfirmed”: not supported by the sources.',
  unconfirmed: 'unconfirmed',
  sources: 'Sources',
  source: (n) => `Source ${n}`,
  pages: (from, to) => (from === to ? `p. ${from}` : `pp. ${from}–${to}`),
  changed: 'changed',
  copy: 'Copy',
  copied: 'Copied',
  copyAnswer: 'Copy answer',
  helpful: 'Helpful',
  notHelpful: 'Not helpful',
  whatWrong: 'What was wrong?',
  reasons: ['Incorrect', 'Incomplete', 'Off topic', 'Unclear'],
  comment: 'Comment (optional)',
  thanks: 'Thank you!',

  askPerson: 'Ask a person',
  askPersonEmail: 'E-mail for the answer (optional)',
  emailWrong: 'Please check the address.',
  sending: 'Passing it on…',
  filed: 'Passed on. The answer will appear here.',
  person: 'Answer from a person',
  notifications: 'Notifications',
  answered: 'Your question has been answered.',

  signIn: 'Sign in',
  signOut: 'Sign out',
  signedInAs: (name) => `Signed in as ${name}`,
  email: 'E-mail',
  password: 'Password',
  signInWrong: 'E-mail or password is wrong.',

  reconnecting: 'Connection lost. Reconnecting…',
  offline: 'You are offline.',
  queued: 'Will be sent later.',
  failed: 'That did not work. Please try again.',
  rateLimited: (wait) => `Too many messages. Try again ${wait}.`,
  refused: 'The assistant is not available on this page.',

  loading: 'Loading…',
};

export { en as part };
