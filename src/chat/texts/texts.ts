/** The words of the button, which is there before the panel's script is. */
export interface ButtonTexts {
  title: string;
  open: string;
  close: string;
  unread: (n: number) => string;
  /** The panel could not be loaded. */
  lost: string;
}

/** Every word that the panel shows or has read out. A language is one file, complete by type check. */
export interface PanelTexts {
  menu: string;
  back: string;
  help: string;
  retry: string;

  greeting: string;
  /** What answers are made from. */
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
  /** Unfolds a long question. */
  more: string;
  newConversation: string;
  /** Offers to go on with what was asked before signing in. */
  earlier: string;
  decline: string;
  conversations: string;
  /** Of an empty list of conversations or notifications. */
  nothing: string;
  /** Of the one that was shown. */
  deleted: string;
  delete: string;
  /** Asks it, and names the button that leads there. */
  deleteThis: (title: string) => string;
  cancel: string;

  /** While the answer is waited for; while a turn is, or the model says nothing yet. */
  waiting: string;
  longer: string;
  incomplete: string;
  cancelled: string;
  quoted: string;
  unsupported: string;
  /** Stands behind each sentence that the sources do not support. */
  unconfirmed: string;
  sources: string;
  /** What a screen reader is told of a citation. */
  source: (n: number) => string;
  pages: (from: number, to: number) => string;
  /** Of a source whose entry says something else now. */
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
  /** Names who has answered, before the time of the answer. */
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
