import type { Texts } from '../../../chat/texts/texts.js';
import type { BannerTexts, TokenProblem } from '../messages.js';

/** The texts that only the extension has. A language is one file; the type checks that it is complete. */
export interface OwnTexts {
  name: string;
  banner: BannerTexts;

  /** The two sides of the side panel. */
  chat: string;
  page: string;
  /** The heading of the first screen. */
  setUp: string;
  settings: string;

  /** What the extension does, and what it never does; shown before the panel can be used. */
  promises: readonly string[];
  signedOut: string;
  unreachable: string;
  quota: string;
  refused: string;

  knowledgeOf: (host: string) => string;
  ofPage: string;
  ofSite: string;
  noKnowledge: string;
  /** Nothing about the page itself, but something about its site. */
  noneOfPage: string;
  showAll: (n: number) => string;
  /** The service has more entries than it lists. */
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
  /** A code of the authenticator app. */
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

/** All texts of the extension's pages: its own, and those of the chat. */
export type ExtensionTexts = Omit<Texts, keyof OwnTexts> & OwnTexts;
