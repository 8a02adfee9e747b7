import type { ButtonTexts, PanelTexts } from './texts.js';

export const enButton: ButtonTexts = {
  title: 'Assistant',
  open: 'Open assistant',
  close: 'Close assistant',
  unread: (n) => (n === 1 ? '1 unread message' : `${n} unread messages`),
  lost: 'The assistant could not be loaded. Check your connection and try again.',
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
  charactersLeft: (n) => (n === 1 ? '1 character left' : `${n} characters left`),
  tooLong: (n) => `Too long: at most ${n} characters.`,
  latest: 'Jump to latest',

  messages: 'Messages',
  you: 'You',
  assistant: 'Assistant',
  newConversation: 'New conversation',
  conversations: 'Conversations',
  noConversations: 'No conversations yet.',
  delete: 'Delete',
  cancel: 'Cancel',

  waiting: 'Thinking…',
  waitingQueue: 'Many questions right now. Yours is next in line…',
  waitingModel: 'Starting up, this can take a moment…',
  incomplete: 'This answer is incomplete.',
  stopped: 'You stopped this answer.',
  brokeOff: 'An error interrupted this answer.',
  quoted: 'Quoted from the sources.',
  unsupported: '“Unconfirmed”: not supported by the sources.',
  unconfirmed: 'unconfirmed',
  sources: 'Sources',
  source: (n) => `Source ${n}`,
  pages: (from, to) => (from === to ? `p. ${from}` : `pp. ${from}–${to}`),
  copy: 'Copy',
  copied: 'Copied',
  copyAnswer: 'Copy answer',
  helpful: 'Helpful',
  notHelpful: 'Not helpful',
  whatWrong: 'What was wrong?',
  reasons: ['Not correct', 'Incomplete', 'Off topic', 'Hard to understand'],
  comment: 'Comment (optional)',
  thanks: 'Thank you!',

  askPerson: 'Ask a person',
  askPersonNote: 'Someone can look into it. The answer will appear here.',
  askPersonEmail: 'E-mail for the answer (optional)',
  emailWrong: 'Please check the e-mail address.',
  asking: 'Passing it on…',
  asked: 'Passed on. You will find the answer here.',
  person: 'Answer from a person',
  notifications: 'Answers to your questions',
  noNotifications: 'No answers yet.',
  notified: 'Your question has been answered.',

  signIn: 'Sign in',
  signOut: 'Sign out',
  signedInAs: (name) => `Signed in as ${name}`,
  email: 'E-mail',
  password: 'Password',
  signInWrong: 'E-mail or password is wrong.',

  reconnecting: 'Connection lost. Reconnecting…',
  offline: 'You are offline. Messages will be sent later.',
  queued: 'Will be sent once connected',
  failed: 'That did not work. Please try again.',
  rateLimited: (seconds) =>
    seconds === 1
      ? 'Too many messages. Try again in 1 second.'
      : `Too many messages. Try again in ${seconds} seconds.`,
  refused: 'The assistant is not available on this page.',

  loading: 'Loading…',
  markRead: 'Mark as read',
};

export { en as part };
