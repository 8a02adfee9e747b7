import type { PageContext } from '../../widget/browser/api-types.js';
import type { Declaration } from './page/declaration.js';
import type { FetchedToken } from './page/fetch-token.js';
import type { TokenProblem } from './page/token-problem.js';
import type { AccountLink } from './service/links.js';
import type { BannerTexts } from './texts/texts.js';

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
