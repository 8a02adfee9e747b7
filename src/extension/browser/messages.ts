import type { PageContext } from '../../chat/api-types.js';

/*
 * What the extension's parts say to each other. Between the content script and the others nothing is believed but what
 * the browser itself says of the sender: a page can't send these, but a script of it may have taken over the renderer
 * that the content script lives in.
 */

/** From the content script to the worker. */
export type PageMessage =
  /** The page declares something; the answer is a BannerReply. */
  | { type: 'declared'; widgetKey: string }
  /** It declares something else than before, or nothing: a panel looks at it again. */
  | { type: 'changed' }
  /** The banner has been in sight for a while, or was answered. */
  | { type: 'seen' }
  | { type: 'open-panel' };

/** The words of a banner to show, or undefined for none. */
export type BannerReply = { texts: BannerTexts; language: string } | undefined;

/** From the extension's own pages to the worker: the user has confirmed. The answer is a LinkReply. */
export interface LinkMessage {
  type: 'link';
  tabId: number;
  /** What was shown to the user when it was confirmed. */
  origin: string;
  widgetKey: string;
}

/** From the extension's own pages to the worker: the session with this token has ended. The answer is a RenewReply. */
export interface RenewMessage {
  type: 'renew';
  used: string;
}

/** With nothing in it, the session was renewed; else the code of the refusal. */
export interface RenewReply {
  refused?: string;
}

export type LinkReply =
  | { link: AccountLink }
  | { problem: TokenProblem }
  /** A refusal of the service, with its code; `other_site` where the site is none of the key's app. */
  | { refused: string };

/** From the worker and the extension's pages to the content script. */
export type TabMessage =
  | { type: 'look' }
  | { type: 'read-page' }
  /** Only the worker asks this, and only after the user has confirmed. */
  | { type: 'read-token'; origin: string; widgetKey: string };

export interface Look {
  url: string;
  title: string;
  declaration: Declaration | undefined;
}

export interface TabReplies {
  look: Look;
  'read-page': PageContext;
  'read-token': DeclaredToken;
}

/** A token, and the sign-in that the page declares. */
export type DeclaredToken = FetchedToken | { token: string; session: string };

/** What a host's page declares for signed-in users. Untrusted: any page may write anything. */
export interface Declaration {
  widgetKey: string;
  tokenEndpoint: string;
  /** What the host calls the sign-in: the service compares it with that of the token. */
  session?: string;
}

/** Why a site's token was not taken. Nothing is sent to the service then. */
const tokenProblems = [
  /** The declaration is gone, or another one than the user has confirmed. */
  'changed',
  'bad_endpoint',
  'cross_origin',
  'redirect',
  /** The site knows nobody by this request: 401 or 403. */
  'signed_out',
  'bad_status',
  'not_json',
  'too_large',
  'bad_json',
  'no_token',
  'timeout',
  'unreachable',
] as const;

export type TokenProblem = (typeof tokenProblems)[number];

export function isTokenProblem(value: unknown): value is TokenProblem {
  return tokenProblems.some((problem) => problem === value);
}

export type FetchedToken = { token: string } | { problem: TokenProblem };

/** A link as the service has it. */
export interface AccountLink {
  id: number;
  app_id: number;
  app_name: string;
  external_id: string;
  display_name: string | null;
  email: string | null;
  linked_at: string;
}

/** What the banner says on a host's page. */
export interface BannerTexts {
  title: string;
  invitation: string;
  open: string;
  dismiss: string;
}
