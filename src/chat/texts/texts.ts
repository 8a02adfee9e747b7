/** The texts of the button, which are needed before the panel's script is loaded. */
export interface ButtonTexts {
  title: string;
  open: string;
  close: string;
  unread: (n: number) => string;
  /** The panel could not be loaded. */
  lost: string;
}

/** Every text of the panel, visible or for screen readers. A language is one file; the type checks completeness. */
export interface PanelTexts {
  menu: string;
  back: string;
  help: string;
  retry: string;

  greeting: string;
  /** Says what answers are made from. */
  about: string;
  suggestions: string;
  placeholder: string;
  send: string;
  stop: string;
  tooLong: (most: number) => string;
  latest: string;

  /** The log's name for a screen reader. */
  messages: string;
  you: string;
  /** Expands a long question. */
  more: string;
  newConversation: string;
  /** Offers to continue the conversation from before the sign-in. */
  earlier: string;
  decline: string;
  conversations: string;
  /** For an empty list of conversations or notifications. */
  nothing: string;
  /** The shown conversation was deleted. */
  deleted: string;
  delete: string;
  /** The question before deleting, and the name of the button that leads to it. */
  deleteThis: (title: string) => string;
  cancel: string;

  /** Shown while an answer is awaited: for a place in the queue, or for the model's first word. */
  waiting: string;
  longer: string;
  incomplete: string;
  cancelled: string;
  quoted: string;
  unsupported: string;
  /** Follows each sentence that the sources do not support. */
  unconfirmed: string;
  sources: string;
  /** The screen reader's text of a citation. */
  source: (n: number) => string;
  pages: (from: number, to: number) => string;
  /** For a source whose entry has changed. */
  changed: string;
  copy: string;
  copied: string;
  copyAnswer: string;
  helpful: string;
  notHelpful: string;
  whatWrong: string;
  reasons: readonly string[];
  comment: string;
  thanks: string;

  askPerson: string;
  askPersonEmail: string;
  emailWrong: string;
  sending: string;
  filed: string;
  /** Says that a person has answered; the time of the answer follows. */
  person: string;
  notifications: string;
  answered: string;

  signIn: string;
  signOut: string;
  signedInAs: (name: string) => string;
  email: string;
  password: string;
  signInWrong: string;

  reconnecting: string;
  offline: string;
  queued: string;
  failed: string;
  /** `wait`: "in 30 seconds". */
  rateLimited: (wait: string) => string;
  refused: string;

  loading: string;
}

export type Texts = ButtonTexts & PanelTexts;
