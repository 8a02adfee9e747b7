import type { PageContext } from '../../chat/api-types.js';

/*
 * The messages between the extension's parts. Messages of the content script are not trusted; only the browser's own
 * facts about the sender count. A page can't send these messages, but a script of it may have taken over the renderer
 * process in which the content script runs.
 */

/** From the content script to the worker. */
export type PageMessage =
  /** The page declares something. The answer is a BannerReply. */
  | { type: 'declared'; widgetKey: string }
  /** The declaration has changed or is gone: a panel reads it again. */
  | { type: 'changed' }
  /** The banner was visible for a while, or was answered. */
  | { type: 'seen' }
  | { type: 'open-panel' };

/** The texts of the banner; undefined for no banner. */
export type BannerReply = { texts: BannerTexts; language: string } | undefined;

/** From the extension's own pages to the worker: the user has confirmed the link. The answer is a LinkReply. */
export interface LinkMessage {
  type: 'link';
  tabId: number;
  /** The site that the user saw when confirming. */
  origin: string;
  widgetKey: string;
}

/** From the extension's own pages to the worker: this token's session has expired. The answer is a RenewReply. */
export interface RenewMessage {
  type: 'renew';
  used: string;
}

/** Empty when the session was renewed; otherwise the code of the error. */
export interface RenewReply {
  refused?: string;
}

export type LinkReply =
  | { link: AccountLink }
  | { problem: TokenProblem }
  /** An error code of the service; `other_site` when the site does not belong to the key's app. */
  | { refused: string };

/** From the worker and the extension's pages to the content script. */
export type TabMessage =
  | { type: 'look' }
  | { type: 'read-page' }
  /** Sent only by the worker, and only after the user has confirmed. */
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

/** A host page's declaration for signed-in users. Untrusted: any page may write anything. */
export interface Declaration {
  widgetKey: string;
  tokenEndpoint: string;
  /** The host's name for the sign-in. The service compares it with the token's. */
  session?: string;
}

/** Why a site's token was not accepted. Nothing is then sent to the service. */
const tokenProblems = [
  /** The declaration is gone, or differs from the one that the user confirmed. */
  'changed',
  'bad_endpoint',
  'cross_origin',
  'redirect',
  /** The site answered 401 or 403: nobody is signed in there. */
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

/** A link in the service's format. */
export interface AccountLink {
  id: number;
  app_id: number;
  app_name: string;
  external_id: string;
  display_name: string | null;
  email: string | null;
  linked_at: string;
}

/** The texts of the banner on a host's page. */
export interface BannerTexts {
  title: string;
  invitation: string;
  open: string;
  dismiss: string;
}
