import { createRequestAnswers } from '../../../chat/session/answer-by-requests.js';
import type { PageContext } from '../../../chat/api-types.js';
import type { BrowserHost, StoreLike } from '../../../chat/connection/browser-host.js';
import { createSession } from '../../../chat/session/create-session.js';
import { history } from '../../../chat/session/history.js';
import type { RunningSession } from '../../../chat/session/running-session.js';
import type { Remembered } from '../../../chat/connection/storage.js';
import { apiTransport, type TransportOwner } from './api-transport.js';

export interface SessionOwner extends Omit<TransportOwner, 'pageOf'> {
  /** The service's address. */
  server: string;
  /** The browser functions; sockets and stores are not used. */
  host: BrowserHost;
  /** The context of the page beside the panel, as far as it may be sent. */
  context: () => Promise<PageContext>;
  /** The last conversation, stored while the user is signed in. */
  kept: { id: string | undefined; keep: (id: string | undefined) => void };
}

/** The widget's session for a signed-in account, over the API for accounts. */
export function createApiSession(owner: SessionOwner): RunningSession {
  const { service, user, server, host, kept } = owner;
  /** The page beside the panel when each question was asked: another page may be there when it is sent. */
  const pages = new Map<string, Promise<PageContext>>();
  const note = (question: string): void => {
    const page = owner.context();
    // The transport that sends the question reports a failure.
    page.catch(() => undefined);
    pages.set(question.trim(), page);
  };
  const pageOf = async (question: string): Promise<PageContext> => {
    const page = pages.get(question);
    // A failed read is repeated when the question is asked again.
    pages.delete(question);
    const context = await (page ?? owner.context());
    pages.set(question, Promise.resolve(context));
    return context;
  };
  const session = createSession(
    {
      apiKey: undefined,
      apiUrl: server,
      wsUrl: server,
      userToken: undefined,
      getUserToken: undefined,
      suggestions: undefined,
    },
    {
      host: {
        ...host,
        fetch: apiTransport({ ...owner, pageOf }, `${server}/widget`),
        openSocket() {
          throw new Error('This service has no socket for people with an account.');
        },
        store: () => storeOf(String(user.id), kept),
        onStored: () => () => undefined,
      },
      // The transport itself reads the page's context.
      readPage: () => ({ url: server, title: '' }),
      mask: (text) => Promise.resolve(text),
      emit: () => undefined,
      loadRequestAnswers: () => Promise.resolve(createRequestAnswers),
      loadHistory: () => Promise.resolve(history),
    },
  );
  const [send, retry] = [session.send.bind(session), session.retry.bind(session)];
  return Object.assign(session, {
    send(text: string) {
      note(text);
      send(text);
    },
    retry(key: string) {
      note(session.state.messages.find((one) => one.key === key)?.text ?? '');
      retry(key);
    },
    signOut: () => void service.signOut(),
  });
}

/** The session's storage for a person: here the user's id and the conversation, but no token. */
function storeOf(subject: string, { id, keep }: SessionOwner['kept']): StoreLike {
  return {
    getItem: () => JSON.stringify({ subject, userToken: subject, conversationId: id }),
    setItem: (_name, text) => keep((JSON.parse(text) as Remembered).conversationId),
    removeItem: () => undefined,
  };
}
