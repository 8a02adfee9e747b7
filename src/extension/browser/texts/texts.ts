import type { Texts } from '../../../chat/texts/texts.js';
import type { BannerTexts, TokenProblem } from '../messages.js';

/** The words of the extension's own pages that the chat does not have. A language is one file, complete by type check. */
export interface OwnTexts {
  name: string;
  banner: BannerTexts;

  /** The two halves of the side panel. */
  chat: string;
  page: string;
  /** The heading of the first screen. */
  setUp: string;
  settings: string;

  /** What stands in the panel before it can be used: what the extension does, and what it never does. */
  promises: readonly string[];
  signedOut: string;
  unreachable: string;
  quota: string;
  refused: string;

  knowledgeOf: (host: string) => string;
  ofPage: string;
  ofSite: string;
  noKnowledge: string;
  /** Of the page itself; of its site something is. */
  noneOfPage: string;
  showAll: (n: number) => string;
  /** More is stored than the service lists. */
  more: string;
  unregistered: (host: string) => string;
  unregisteredNote: string;
  noPage: string;
  noAccess: string;
  signedInOnly: string;
  recognise: (host: string) => string;
  recogniseNote: string;

  linkTitle: (host: string) => string;
  linkSite: string;
  linkApp: string;
  linkAccount: string;
  linkConsequences: readonly string[];
  linkUnregistered: string;
  link: string;
  notNow: string;
  linking: string;
  linkedAs: (name: string, app: string) => string;
  problems: Record<TokenProblem, string>;
  alreadyLinked: string;
  notVerified: string;

  server: string;
  serverAddress: string;
  serverNote: string;
  save: string;
  saved: string;
  badAddress: string;
  plainAddress: string;
  noPermission: string;
  notAService: (url: string) => string;

  account: string;
  /** Of the authenticator app. */
  code: string;
  codeWanted: string;
  needsSecondFactor: string;
  passwordsOff: string;
  tooMany: string;

  language: string;
  languageAuto: string;

  sites: string;
  sitesNote: string;
  noSites: string;
  forget: string;
  forgetSite: (site: string) => string;
  fixedSite: string;

  links: string;
  noLinks: string;
  linkSince: (date: string) => string;
  unlink: string;
  unlinkFrom: (app: string) => string;
  unlinkQuestion: (app: string) => string;
  unlinkNote: string;
  unlinked: (app: string) => string;
}

/** Every word of the extension's own pages: what the chat says as well, it says alike. */
export type ExtensionTexts = Omit<Texts, keyof OwnTexts> & OwnTexts;
