import type { App } from '../platform/app.js';
import type { Domain } from './sites.repository.js';

/**
 * What other features keep in organizations and apps and under domains. They stand above this one, so main says how it
 * is asked for.
 */
export interface SiteContents {
  /**
   * Puts the entries of a domain where the claims that stand now have them, inside the transaction that has changed
   * the claim. Answers how many moved.
   */
  followClaims(app: App, domain: Domain, changedBy: string): Promise<number>;
  countEntries(app: App, organizationId: number): Promise<number>;
  /** Entries of the app, and those that are bound to one of the views. */
  countEntriesBoundTo(app: App, bound: { appId?: number; viewIds: number[] }): Promise<number>;
  countBatches(app: App, appId: number): Promise<number>;
}

declare module '../platform/app.js' {
  interface App {
    siteContents: SiteContents;
  }
}
