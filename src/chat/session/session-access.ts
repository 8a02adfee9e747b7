import type { Identity } from '../connection/identity.js';
import { ServiceError, type ServiceRequests } from '../connection/service-requests.js';
import type { Emit } from './session-answers.js';
import type { SessionStore } from './session-state.js';
import type { SessionError, SessionIdentity } from '../session.js';

/** The response of GET /widget/config. */
interface Config {
  organization?: { name: string };
  identity: SessionIdentity;
  limits: { messageLength: number };
  sendsMail?: boolean;
  unread: number;
}

/** The service's facts about the person, or the reason why it refuses them. */
export interface Access {
  /** Asks the service. Resolves to false when it refuses permanently, or when the person has changed meanwhile. */
  learn(): Promise<boolean>;
  /** As learn, unless it was called since `forget`. */
  learnOnce(): void;
  /** Marks the facts as outdated. */
  forget(): void;
  refuse(error: SessionError): void;
}

/** True for an error that stays until the page or the installation changes. */
export function isLasting({ code }: SessionError): boolean {
  return /^(unauthenticated|origin_.*|forbidden)$/.test(code);
}

export function createAccess(
  store: SessionStore,
  requests: ServiceRequests,
  identity: Pick<Identity, 'isSignedIn'>,
  emit: Emit,
  /** Receives the number of unread notifications. */
  onUnread: (unread: number) => void,
): Access {
  let isLearned = false;

  function refuse(refused: SessionError): void {
    const { code, message } = refused;
    if (!store.state.refused) emit('error', { code, message });
    store.set({ refused, connection: 'offline' });
  }

  async function learn(): Promise<boolean> {
    const { person } = store.state;
    isLearned = true;
    try {
      const config = await requests.json<Config>('GET', '/config');
      if (person !== store.state.person) return false;
      const { messageLength } = config.limits;
      const signedIn = identity.isSignedIn();
      const organization = config.organization?.name;
      // If the service sends no mail, the panel need not ask for an address.
      const hasEmail = config.identity.hasEmail || config.sendsMail === false;
      const who = { ...config.identity, hasEmail };
      store.set({ organization, identity: who, messageLength, signedIn });
      onUnread(config.unread);
    } catch (error) {
      if (person !== store.state.person) return false;
      isLearned = false;
      if (error instanceof ServiceError && isLasting(error)) {
        refuse(error);
        return false;
      }
    }
    return true;
  }

  return {
    learn,
    refuse,
    learnOnce() {
      if (!isLearned) void learn();
    },
    forget() {
      isLearned = false;
    },
  };
}
