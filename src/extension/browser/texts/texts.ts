import type { TokenProblem } from '../page/token-problem.js';

/** What the banner says on a host's page. */
export interface BannerTexts {
  title: string;
  invitation: string;
  open: string;
  dismiss: string;
}

/** Every word of the extension's own pages. A language is one file, complete by type check. */
export interface ExtensionTexts {
  name: string;
  banner: BannerTexts;

  /** The two halves of the side panel. */
  chat: string;
  page: string;
  /** What is done on the first screen. */
  setUp: string;
  settings: string;

  /** What stands in the panel before it can be used: what the extension does, and what it never does. */
  promises: readonly string[];
  signedOut: string;
  unreachable: string;
  retry: string;
  quota: string;
  refused: string;

  loading: string;
  knowledgeOf: (host: string) => string;
  ofPage: string;
  ofSite: string;
  noKnowledge: string;
  unregistered: (host: string) => string;
  noPage: string;
  noAccess: string;
  copy: string;
  copied: string;
  visibility: Record<'public' | 'authenticated', string>;
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
  notAService: string;

  account: string;
  email: string;
  password: string;
  signIn: string;
  signOut: string;
  signedInAs: (email: string) => string;
  /** Of the authenticator app. */
  code: string;
  codeWanted: string;
  needsSecondFactor: string;
  passwordsOff: string;
  signInWrong: string;
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
  cancel: string;
}
