import type { App } from '../platform/app.js';
import type { Domain } from './sites.repository.js';

/** Functions of features that depend on this one, passed in by main: their data in organizations, apps and domains. */
export interface SiteContents {
  /**
   * Moves the entries of a domain to where the present claims place them, inside the transaction that changed the
   * claim. Returns the number of moved entries.
   */
  followClaims(app: App, domain: Domain, changedBy: string): Promise<number>;
  countEntries(app: App, organizationId: number): Promise<number>;
  /** The number of entries in the app or bound to one of the views. */
  countEntriesBoundTo(app: App, bound: { appId?: number; viewIds: number[] }): Promise<number>;
  countBatches(app: App, appId: number): Promise<number>;
}

declare module '../platform/app.js' {
  interface App {
    siteContents: SiteContents;
  }
}
