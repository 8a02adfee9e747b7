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
  /** The browser, of which neither sockets nor stores are used. */
  host: BrowserHost;
  /** What may be told of the page beside the panel. */
  context: () => Promise<PageContext>;
  /** The conversation of before, for as long as the user is signed in. */
  kept: { id: string | undefined; keep: (id: string | undefined) => void };
}

/** The widget's session of somebody who is signed in to the service, over its API for people with an account. */
export function createApiSession(owner: SessionOwner): RunningSession {
  const { service, user, server, host, kept } = owner;
  /** What was beside the panel when it was asked: by the time its turn comes, that may be another page. */
  const pages = new Map<string, Promise<PageContext>>();
  const note = (question: string): void => {
    const page = owner.context();
    // The transport that carries the question reports a failure.
    page.catch(() => undefined);
    pages.set(question.trim(), page);
  };
  const pageOf = async (question: string): Promise<PageContext> => {
    const page = pages.get(question);
    // One that failed is looked at anew when it is asked again.
    pages.delete(question);
    const context = await (page ?? owner.context());
    pages.set(question, Promise.resolve(context));
    return context;
  };
  const session = createSession(
    {
      ...{ apiKey: undefined, apiUrl: server, wsUrl: server, userToken: undefined },
      ...{ getUserToken: undefined, suggestions: undefined },
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
      // What is told of the page, the transport asks for itself.
      readPage: () => ({ url: server, title: '' }),
      ...{ mask: (text) => Promise.resolve(text), emit: () => undefined },
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

/** What the widget's session remembers of a person: here that is their number and the conversation, and no token. */
function storeOf(subject: string, { id, keep }: SessionOwner['kept']): StoreLike {
  return {
    getItem: () => JSON.stringify({ subject, userToken: subject, conversationId: id }),
    setItem: (_name, text) => keep((JSON.parse(text) as Remembered).conversationId),
    removeItem: () => undefined,
  };
}
