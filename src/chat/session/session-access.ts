import type { Identity } from '../connection/identity.js';
import { ServiceError, type ServiceRequests } from '../connection/service-requests.js';
import type { Emit } from './session-answers.js';
import type { SessionStore } from './session-state.js';
import type { SessionError, SessionIdentity } from '../session.js';

/** What GET /widget/config tells. */
interface Config {
  organization?: { name: string };
  identity: SessionIdentity;
  limits: { messageLength: number };
  sendsMail?: boolean;
  unread: number;
}

/** What the service says of whoever uses the widget, or why it does not serve them. */
export interface Access {
  /** Asks the service. Resolves to false where it has refused for good, and where somebody else is here by now. */
  learn(): Promise<boolean>;
  /** The same, unless it was asked since `forget`. */
  learnOnce(): void;
  /** What it said may not hold any more. */
  forget(): void;
  /** Shows a refusal. */
  refuse(error: SessionError): void;
}

/** Whether a refusal stands until the page or the installation is changed. */
export function isLasting({ code }: SessionError): boolean {
  return /^(unauthenticated|origin_.*|forbidden)$/.test(code);
}

export function createAccess(
  store: SessionStore,
  requests: ServiceRequests,
  identity: Pick<Identity, 'isSignedIn'>,
  emit: Emit,
  /** How many notifications were not read. */
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
      // Where nothing is sent, there is no address to ask for.
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
    ...{ learn, refuse },
    learnOnce() {
      if (!isLearned) void learn();
    },
    forget() {
      isLearned = false;
    },
  };
}
