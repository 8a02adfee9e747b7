import type { OwnTexts } from './texts.js';

export const en: OwnTexts = {
  name: 'Assistant',
  banner: {
    title: 'Link your account',
    invitation: 'This site can recognise your Assistant account. You decide in the side panel.',
    open: 'Open the side panel',
    dismiss: 'Not now',
  },

  chat: 'Chat',
  page: 'This page',
  setUp: 'Set up the extension',
  settings: 'Settings',

  promises: [
    'The extension shows what your organization knows about the page you are on, and answers your questions about it.',
    'It sees a page only after you click the extension’s button, or on sites that you allow. The browser asks you first.',
    'It sends the full address of a page to your service only on your organization’s sites. It never sends what you type into a page.',
  ],
  signedOut: 'Sign in to see what your organization knows about a page, and to ask questions.',
  unreachable: 'The service can’t be reached.',
  quota: 'You have used up your questions for this month.',
  refused: 'The service refused this. Try again later.',

  knowledgeOf: (host) => `What your organization knows about ${host}`,
  ofPage: 'On this page',
  ofSite: 'On this site',
  noKnowledge: 'Nothing is stored for this page or its site yet.',
  noneOfPage: 'Nothing is stored for this page itself.',
  showAll: (n) => `Show all ${n}`,
  more: 'There is more. Ask in the chat to find it.',
  unregistered: (host) => `${host} is not one of your organization’s sites`,
  unregisteredNote:
    'Nothing is stored for this site. Your service was asked only about the site’s name. The address of the page was not sent.',
  noPage: 'There is nothing to show for this kind of page.',
  noAccess:
    'The extension cannot see this page. To allow it, click the extension’s button in the browser’s toolbar.',
  signedInOnly: 'Signed-in users only',
  recognise: (host) => `Always recognise ${host}`,
  recogniseNote: 'The browser then asks whether the extension may see this site.',

  linkTitle: (host) => `Link your account with ${host}?`,
  linkSite: 'Site',
  linkApp: 'Application',
  linkAccount: 'Your account',
  linkConsequences: [
    'The assistant on this site and this extension will know you as the same person, and show you your conversations from both. The site’s operator can read what you ask about the site in this extension.',
    'The extension asks the site for a signed token and sends that token to your service. Nothing else from the page is sent.',
    'The site does not learn your password and cannot use up your quota. You can undo this in the settings.',
  ],
  linkUnregistered:
    'Your account can’t be linked on this site: your service does not know it as a site of this application.',
  link: 'Link account',
  notNow: 'Not now',
  linking: 'Linking…',
  linkedAs: (name, app) => `Linked with ${app} as ${name}`,
  problems: {
    changed: 'The page has changed in the meantime. Reload it and try again.',
    bad_endpoint: 'The site’s token address is not valid. Nothing was sent.',
    cross_origin: 'The site’s token address belongs to another site. Nothing was sent.',
    redirect: 'The site redirects the token request. Nothing was sent.',
    signed_out: 'You are not signed in on this site. Sign in there and try again.',
    bad_status: 'The site answered with an error. Nothing was sent.',
    not_json: 'The site answered with a page instead of a token. Nothing was sent.',
    too_large: 'The site’s answer is too large to be a token. Nothing was sent.',
    bad_json: 'The site’s answer can’t be read. Nothing was sent.',
    no_token: 'The site’s answer contains no token. Nothing was sent.',
    timeout: 'The site did not answer in time. Nothing was sent.',
    unreachable: 'The site can’t be reached. Nothing was sent.',
  },
  alreadyLinked:
    'Your account on this site, or the person the site knows you as, is already linked. That link stays unchanged.',
  notVerified: 'The service could not verify the site’s token. Your account is not linked.',

  server: 'Service',
  serverAddress: 'Service address',
  serverNote:
    'Your organization gives you this address. When you save it, the browser asks whether the extension may reach it.',
  save: 'Save',
  saved: 'Saved.',
  badAddress: 'This is not an address. It looks like https://assistant.example.com',
  plainAddress: 'Careful: this address is not encrypted. Use it only in a network that you trust.',
  noPermission:
    'The extension needs this permission to reach the service. Save again to be asked again.',
  notAService: (url) => `No assistant service answers at ${url}. Check the address.`,

  account: 'Account',
  code: 'Code',
  codeWanted: 'Enter the current code of your authenticator app, or a recovery code.',
  needsSecondFactor: 'Your account needs a second factor. Set one up first, then sign in here.',
  passwordsOff: 'Your organization does not allow signing in by password.',
  tooMany: 'Too many attempts. Wait a moment and try again.',

  language: 'Language',
  languageAuto: 'Same as the browser',

  sites: 'Sites that the extension may see',
  sitesNote:
    'On these sites, the extension checks by itself whether you can link your account. On all other sites, it sees a page only after you click its button.',
  noSites: 'None.',
  forget: 'Remove',
  forgetSite: (site) => `Remove ${site}`,
  fixedSite: 'Allowed by your organization',

  links: 'Linked accounts',
  noLinks: 'None.',
  linkSince: (date) => `since ${date}`,
  unlink: 'Unlink',
  unlinkFrom: (app) => `Unlink from ${app}`,
  unlinkQuestion: (app) => `Unlink your account from ${app}?`,
  unlinkNote:
    'The assistant on its sites and this extension will no longer know you as the same person.',
  unlinked: (app) => `Your account is no longer linked with ${app}.`,
};
