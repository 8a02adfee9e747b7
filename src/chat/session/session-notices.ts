import type { NotificationFrame } from '../protocol.js';
import type { ServiceRequests } from '../connection/service-requests.js';
import type { Listed } from '../connection/list-conversations.js';
import type { ChatNotification } from '../session.js';
import type { SessionStore } from './session-state.js';

/** A notification in the service's format. */
export interface Notice {
  id: number;
  kind: string;
  question: string;
  response: string;
  conversation_id: string | null;
  created_at: string;
  read_at?: string | null;
}

/** Counts unread items: answers that came while the panel was closed, and notifications. */
export interface Notices {
  /** Sets the service's number of notifications for this person. */
  expect(unread: number): void;
  /** Lists the notifications, if there are any. */
  read(): Promise<void>;
  push(frame: NotificationFrame): void;
  markRead: (id: number) => void;
  onAnswered: () => void;
  /** A conversation was deleted with its notifications. `read` finds the unread rest. */
  release: (conversationId: string) => void;
  setVisible(visible: boolean): void;
  reset(): void;
}

export interface NoticesOwner {
  /** A conversation has something new. */
  onTold: (conversationId: string | null) => void;
  /** The service has stored that something was read. */
  onRead: () => void;
}

export function createNotices(
  store: SessionStore,
  requests: ServiceRequests,
  { onTold, onRead }: NoticesOwner,
): Notices {
  let unseen = 0;
  let waiting = 0;
  let isVisible = false;
  /** Read here. A list that was requested earlier does not make them unread again. */
  const done = new Set<number>();

  function show(notifications = store.state.notifications): void {
    store.set({ notifications, unread: unseen + waiting });
  }

  return {
    expect(unread) {
      waiting = unread;
      show();
    },
    async read() {
      if (waiting === 0) return;
      const path = '/notifications?unread=true&limit=20';
      try {
        const { data, pagination } = await requests.json<Listed<Notice>>('GET', path);
        const unread = data.filter(({ id }) => !done.has(id));
        waiting = pagination.total - data.length + unread.length;
        show(unread.map(noticeOf));
      } catch {
        // The number is still shown.
      }
    },
    push({ notification }) {
      const { notifications } = store.state;
      const notice = noticeOf(notification);
      if (notifications.some(({ id }) => id === notice.id)) return;
      waiting += 1;
      show([notice, ...notifications]);
      onTold(notice.conversationId);
    },
    markRead(id) {
      const { notifications } = store.state;
      if (done.has(id)) return;
      done.add(id);
      waiting = Math.max(0, waiting - 1);
      show(notifications.map((one) => (one.id === id ? { ...one, read: true } : one)));
      requests.json('POST', `/notifications/${id}/read`).then(onRead, () => undefined);
    },
    release(conversationId) {
      const { notifications } = store.state;
      show(notifications.filter((one) => one.conversationId !== conversationId));
    },
    onAnswered() {
      if (isVisible) return;
      unseen += 1;
      show();
    },
    setVisible(visible) {
      isVisible = visible;
      if (!visible || unseen === 0) return;
      unseen = 0;
      show();
    },
    reset() {
      unseen = 0;
      waiting = 0;
    },
  };
}

export function noticeOf({ id, kind, question, response, ...notice }: Notice): ChatNotification {
  const { conversation_id: conversationId, created_at: createdAt, read_at: readAt } = notice;
  const isAnswer = kind !== 'account_linked';
  return { id, isAnswer, question, response, conversationId, createdAt, read: !!readAt };
}
