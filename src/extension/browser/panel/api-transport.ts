import type { PageContext, WidgetLanguage } from '../../../chat/api-types.js';
import type { Listed } from '../../../chat/connection/list-conversations.js';
import { ServiceError, type Account, type AskDetails, type Service } from '../service/service.js';

export interface TransportOwner {
  service: Service;
  user: Account['user'];
  language: () => WidgetLanguage;
  /** The context of the page beside the panel when the question was asked, as far as it may be sent. */
  pageOf: (question: string) => Promise<PageContext>;
  /** The address of the page beside the panel, if it is on a site of the user's organization. */
  address: () => Promise<string | undefined>;
}

interface Asked {
  query: URLSearchParams;
  body: Record<string, unknown>;
  details: AskDetails;
}

/** The most characters of a question by a signed-in account. */
const messageLength = 8000;

/** Translates the requests of the widget's session, below `base`, to the API endpoints of the signed-in user. */
export function apiTransport(owner: TransportOwner, base: string): typeof fetch {
  const { service, user } = owner;
  const ask = <T>(path: string) => service.json<T>('GET', path);

  const listed = (path: string, { query, details }: Asked) => {
    const id = query.get('conversationId');
    query.delete('conversationId');
    if (id !== null) query.set('conversation_id', id);
    return service.open('GET', `${path}?${query.toString()}`, details);
  };

  const translated: Record<string, (asked: Asked) => Promise<Response>> = {
    async 'GET /config'() {
      const news = '/api/notifications?unread=true&limit=1';
      const { pagination } = await ask<Listed<unknown>>(news);
      const displayName = user.display_name || user.email;
      const identity = { kind: 'end_user', displayName, hasEmail: true };
      return Response.json({ identity, limits: { messageLength }, unread: pagination.total });
    },
    async 'GET /page'() {
      const url = await owner.address();
      if (url === undefined) return Response.json({ suggestions: [] });
      const query = new URLSearchParams({ own: 'true', url, language: owner.language() });
      const path = `/api/knowledge/page?${query.toString()}`;
      const { suggestions } = await ask<{ suggestions: string[] }>(path);
      return Response.json({ suggestions });
    },
    async 'POST /message'({ body, details }) {
      const page = await owner.pageOf(String(body['message']));
      const context = { ...page, language: owner.language() };
      const asked = { ...body, context, channel: 'extension' };
      return service.open('POST', '/api/conversations/message', { ...details, body: asked });
    },
    async 'POST /feedback'({ body, details }) {
      const { conversationId, messageId, rating, comment } = body;
      const path = `/api/conversations/${String(conversationId)}/messages/${String(messageId)}/feedback`;
      if (rating === null) await service.open('DELETE', path, details);
      else await service.open('PUT', path, { ...details, body: { rating, comment } });
      return Response.json({ rating });
    },
    async 'POST /requests'({ body, details }) {
      const { question, conversationId: conversation_id } = body;
      const filed = { question, conversation_id, url: await owner.address() };
      return service.open('POST', '/api/knowledge/requests', { ...details, body: filed });
    },
    'GET /requests': (asked) => listed('/api/knowledge/requests', asked),
    'GET /notifications': (asked) => listed('/api/notifications', asked),
    'GET /conversations'({ query, details }) {
      // Staff may read all conversations of the organization, but this list shows only their own.
      if (user.role !== 'user') query.set('user_id', String(user.id));
      return service.open('GET', `/api/conversations?${query.toString()}`, details);
    },
  };

  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const [path = '', search = ''] = (input as string).slice(base.length).split('?');
    const given = typeof body === 'string' && (JSON.parse(body) as Record<string, unknown>);
    const details: AskDetails = {
      headers: Object.fromEntries(new Headers(headers)),
      ...(signal && { signal }),
      ...(given && { body: given }),
    };
    try {
      const query = new URLSearchParams(search);
      const translate = translated[`${method} ${path}`];
      if (translate) return await translate({ query, body: given || {}, details });
      return await service.open(method, `/api${path}${search && `?${search}`}`, details);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'offline') throw error;
      return refusal(error);
    }
  };
}

/** A problem as the service returns it, but never 401: the session must not decide whether somebody is signed in. */
function refusal({ code, message, retryAfter }: ServiceError): Response {
  // A quota is free again next month, and no person waits that long.
  const isAwaited = retryAfter !== undefined && code !== 'quota_exceeded';
  const headers = isAwaited ? { 'Retry-After': String(retryAfter) } : {};
  return Response.json({ code, detail: message }, { status: 400, headers });
}
