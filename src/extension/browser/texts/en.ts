import type { ExtensionTexts } from './texts.js';

export const en: ExtensionTexts = {
  name: 'Assistant',
  banner: {
    title: 'Link your account',
    invitation: 'This site can recognise your Assistant account. You decide in the side panel.',
    open: 'Open the side panel',
    dismiss: 'Not now',
  },

  chat: 'Chat',
  page: 'This page',
  settings: 'Settings',

  noServer: 'Which service you use is not set yet.',
  signedOut: 'Sign in to see what your organization knows, and to ask about it.',
  openSettings: 'Open the settings',
  unreachable: 'The service can’t be reached.',
  retry: 'Try again',
  quota: 'Your questions of this month are used up.',
  refused: 'The service refused this. Try again later.',

  loading: 'Loading…',
  knowledgeOf: (host) => `What is known about this page of ${host}`,
  noKnowledge: 'Nothing is known about this page yet.',
  unregistered: (host) => `${host} is not a site of your organization.`,
  noPage: 'There is nothing to show for this kind of page.',
  noAccess:
    'The extension does not see this page. Click its button in the browser’s toolbar to let it.',
  copy: 'Copy',
  copied: 'Copied',
  visibility: { public: 'Public', authenticated: 'For signed-in users' },
  recognise: (host) => `Always recognise ${host}`,
  recogniseNote: 'The browser then asks you whether the extension may see this site.',

  linkTitle: (host) => `Link your account with ${host}?`,
  linkSite: 'Site',
  linkApp: 'Application',
  linkAccount: 'Your account',
  linkConsequences: [
    'The assistant on this site and this extension will know you as the same person, and show you your conversations of both. Whoever runs the site can read there what you ask about it in this extension.',
    'The extension asks the site for a signed token and sends that token to your service. Nothing else of the page is sent.',
    'The site does not learn your password and can’t spend what is yours. You can undo this in the settings.',
  ],
  linkUnregistered:
    'This site is not registered for the application whose key it declares, so it can’t be linked.',
  link: 'Link account',
  notNow: 'Not now',
  linking: 'Linking…',
  linkedAs: (name, app) => `Linked with ${app} as ${name}`,
  problems: {
    changed: 'The page has changed meanwhile. Reload it and try again.',
    bad_endpoint: 'The address that the site names for its token is none. Nothing was sent.',
    cross_origin: 'The site names an address of another site for its token. Nothing was sent.',
    redirect: 'The site sends the request for its token elsewhere. Nothing was sent.',
    signed_out: 'You are not signed in on this site. Sign in there and try again.',
    bad_status: 'The site answered with an error. Nothing was sent.',
    not_json: 'The site did not answer with a token but with a page. Nothing was sent.',
    too_large: 'The answer of the site is too large to be a token. Nothing was sent.',
    bad_json: 'The answer of the site can’t be read. Nothing was sent.',
    no_token: 'The answer of the site holds no token. Nothing was sent.',
    timeout: 'The site did not answer in time. Nothing was sent.',
    unreachable: 'The site can’t be reached. Nothing was sent.',
  },
  alreadyLinked:
    'The person that the site knows you as, or your account on it, is linked already. That link stays as it is.',
  notVerified: 'The service could not verify the site’s token. Your account is not linked.',

  server: 'Service',
  serverAddress: 'Address of the service',
  serverNote: 'For example https://assistant.example.com. The browser asks whether to allow it.',
  save: 'Save',
  saved: 'Saved.',
  badAddress: 'This is no address. Enter one that begins with https://',
  plainAddress: 'Careful: this address is not encrypted. Use it in a network that you trust only.',
  noPermission: 'Without the permission to reach it, the service can’t be used.',
  notAService: 'No such service answers there. Check the address.',

  account: 'Account',
  email: 'E-mail',
  password: 'Password',
  signIn: 'Sign in',
  signOut: 'Sign out',
  signedInAs: (email) => `Signed in as ${email}`,
  signInWrong: 'E-mail or password is wrong.',
  tooMany: 'Too many attempts. Wait a moment and try again.',

  language: 'Language',
  languageAuto: 'As the browser',

  sites: 'Sites that the extension may see',
  sitesNote:
    'On these it looks by itself whether you can link your account. On all others it sees a page only after you have clicked its button.',
  noSites: 'None.',
  forget: 'Remove',
  forgetSite: (site) => `Remove ${site}`,

  links: 'Linked accounts',
  noLinks: 'None.',
  linkSince: (date) => `since ${date}`,
  unlink: 'Unlink',
  unlinkFrom: (app) => `Unlink from ${app}`,
};
