import type { NotificationFrame } from '../protocol.js';
import type { ServiceRequests } from './service-requests.js';
import type { Listed } from './session-history.js';
import type { ChatNotification } from './session.js';
import type { SessionStore } from './session-state.js';

/** As the service lists them. */
interface Notice {
  id: number;
  question: string;
  response: string;
  created_at: string;
  read_at?: string | null;
}

/** What counts as unread: answers that came while nobody looked, and notifications. */
export interface Notices {
  /** How many the service has for this person. */
  expect(unread: number): void;
  /** Lists them, where there are any. */
  read(): Promise<void>;
  push(frame: NotificationFrame): void;
  markRead: (id: number) => void;
  onAnswered: () => void;
  setVisible(visible: boolean): void;
  reset(): void;
}

export function createNotices(store: SessionStore, requests: ServiceRequests): Notices {
  let unseen = 0;
  let waiting = 0;
  let isVisible = false;

  function show(notifications?: readonly ChatNotification[]): void {
    const unread = unseen + waiting;
    store.set(notifications === undefined ? { unread } : { notifications, unread });
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
        waiting = pagination.total;
        show(data.map(shown));
      } catch {
        // The number of them is still shown.
      }
    },
    push({ notification }) {
      const { notifications } = store.state;
      const notice = shown(notification);
      if (notifications.some(({ id }) => id === notice.id)) return;
      waiting += 1;
      show([notice, ...notifications]);
    },
    markRead(id) {
      const { notifications } = store.state;
      if (notifications.find((one) => one.id === id)?.read !== false) return;
      waiting = Math.max(0, waiting - 1);
      show(notifications.map((one) => (one.id === id ? { ...one, read: true } : one)));
      requests.json('POST', `/notifications/${id}/read`).catch(() => undefined);
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

function shown({ id, question, response, created_at: createdAt, read_at: readAt }: Notice) {
  return { id, question, response, createdAt, read: typeof readAt === 'string' };
}
