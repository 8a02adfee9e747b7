import type { ServiceRequests } from './service-requests.js';
import type { ConversationItem } from '../session.js';

export interface Listed<T> {
  data: T[];
  pagination: { total: number };
}

/** Lists conversations, the latest first. */
export async function readConversations(
  requests: ServiceRequests,
  limit: number,
): Promise<ConversationItem[]> {
  const { data } = await requests.json<Listed<{ id: string; title: string; updated_at: string }>>(
    'GET',
    `/conversations?limit=${limit}`,
  );
  return data.map(({ id, title, updated_at: updatedAt }) => ({ id, title, updatedAt }));
}
