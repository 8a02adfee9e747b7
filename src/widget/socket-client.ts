import { nameOf } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError, tooMany } from '../platform/errors.js';
import type { RequestLimits } from '../platform/http/request-limits.js';
import type { ServerFrame } from '../chat/protocol.js';
import { appOfOrigin } from '../tenancy/app-of-origin.js';
import { claimFinder, type FindClaim } from '../tenancy/find-site.js';
import {
  checkOrigin,
  requireOrigin,
  requireOriginOwner,
  authenticateWidget,
  noteSighting,
  type WidgetActor,
  type WidgetCredentials,
} from './authenticate-widget.js';
import type { NotificationWatch } from './watch-notifications.js';

/** A session's view of its connection. */
export interface Connection {
  address: string;
  origin: string;
  limits: RequestLimits;
  /** Resolves when more may be sent. */
  send(frame: ServerFrame): Promise<void>;
  close(code: number, reason: string): void;
  /** Takes one of the app's places for connections; returns false when none is free. */
  occupy(appId: number): boolean;
  /** As in NotificationWatch. */
  follow: NotificationWatch['follow'];
}

/** The person at the other end of a connection. */
export interface SocketClient {
  /** True when a hello was accepted. */
  isKnown: () => boolean;
  /** The person whose hello was accepted. Errors: `unauthenticated` before that. */
  requireActor(): WidgetActor;
  /** Authenticates a hello. Refuses invalid credentials, and a page on which they are not allowed. */
  check(given: WidgetCredentials): Promise<WidgetActor>;
  become(actor: WidgetActor, credentials: WidgetCredentials): void;
  forget(): void;
  /** Authenticates the stored credentials again: a key may have been revoked, a token expired, a domain removed. */
  identify(claimOn?: FindClaim): Promise<WidgetActor>;
  /** Refuses when the person may not ask any more, or has reached a limit. */
  admit(actor: WidgetActor, claimOn: FindClaim): Promise<void>;
}

export function createClient(
  app: App,
  connection: Pick<Connection, 'address' | 'origin' | 'limits' | 'occupy'>,
): SocketClient {
  const { origin } = connection;
  let known: { actor: WidgetActor; credentials: WidgetCredentials } | undefined;

  function requireKnown() {
    if (known === undefined) throw new AppError('unauthenticated', 'Say hello first.');
    return known;
  }

  async function identify(claimOn = claimFinder(app)): Promise<WidgetActor> {
    const { credentials } = requireKnown();
    // In parallel, because the first words of an answer wait for both.
    const owner = appOfOrigin(app, requireOrigin(origin), claimOn);
    owner.catch(() => undefined);
    const actor = await authenticateWidget(app, credentials);
    requireOriginOwner(await owner, actor.appId, origin);
    return actor;
  }

  return {
    identify,
    isKnown: () => known !== undefined,
    requireActor: () => requireKnown().actor,
    async check(given) {
      const actor = await authenticateWidget(app, given);
      await checkOrigin(app, origin, actor.appId);
      if (known?.actor.appId !== actor.appId && !connection.occupy(actor.appId)) {
        throw tooMany('connections of this app');
      }
      noteSighting(app, given.apiKey, origin);
      return actor;
    },
    become(actor, credentials) {
      known = { actor, credentials };
    },
    forget() {
      known = undefined;
    },
    async admit(actor, claimOn) {
      const present = await identify(claimOn);
      // Credentials should never change their person. If they do, nothing is asked in the previous
      // person's name.
      if (!isSame(present, actor)) throw new AppError('unauthenticated', 'Say hello again.');
      await connection.limits.countFrame(connection.address, actor, 'message');
    },
  };
}

export function isSame(one: WidgetActor, other: WidgetActor): boolean {
  return one.appId === other.appId && nameOf(one) === nameOf(other);
}
