import { sharersOf } from '../federation/one-person.repository.js';
import type { Notification } from '../notifications/notification.js';
import {
  latestNotificationId,
  listNotificationsSince,
} from '../notifications/notifications.repository.js';
import { personOf, type WidgetPerson } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { NotificationFrame } from '../chat/protocol.js';

/** How often notifications of other processes are looked for, in milliseconds. */
const usualInterval = 2000;

export interface NotificationWatch {
  /**
   * Calls `tell` once for each notification of a person created after this resolves, and for some that were created
   * during the call. Resolves to a function that ends this.
   */
  follow(person: WidgetPerson, tell: (notification: Notification) => void): Promise<() => void>;
  stop(): Promise<void>;
}

interface Follower {
  person: WidgetPerson;
  tell: (notification: Notification) => void;
  /** The last notification that was checked for it. */
  after: number;
}

/**
 * Watches for notifications that any process creates for widget people. Queries the database once for all of them: at
 * intervals while there are any, and immediately when this process may have created one.
 */
export function watchNotifications(app: App, everyMs = usualInterval): NotificationWatch {
  const followers = new Set<Follower>();
  /** All followers have received the notifications up to this id. */
  let seen = 0;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  const stopListening = app.jobs.onWake(look);

  function look(): void {
    if (followers.size === 0) return;
    looking ??= tellNews()
      .catch((error: unknown) => {
        app.log.warn({ err: error }, 'notifications could not be looked for');
      })
      .finally(() => (looking = undefined));
  }

  async function tellNews(): Promise<void> {
    for (const { notification, recipient, appId } of await listNotificationsSince(app, seen)) {
      const { id, organizationId } = notification;
      // Only the person receives news of a link, because the linked account may be a thief's.
      const isShared = recipient.visitorId === null && notification.kind !== 'account_linked';
      const sharers = isShared ? await sharersOf(app, recipient, appId) : [];
      for (const follower of followers) {
        if (follower.after >= id) continue;
        follower.after = id;
        const { person } = follower;
        const { endUserId, visitorId } = personOf(person);
        const isTheirs =
          person.organizationId === organizationId &&
          (endUserId === null
            ? recipient.visitorId === visitorId
            : recipient.endUserId === endUserId || sharers.includes(endUserId));
        if (isTheirs) follower.tell(notification);
      }
      seen = Math.max(seen, id);
    }
  }

  return {
    async follow(person, tell) {
      const latest = await latestNotificationId(app);
      const follower = { person, tell, after: latest };
      // Notifications created during the query are read again; followers that already know them skip them.
      seen = followers.size === 0 ? latest : Math.min(seen, latest);
      followers.add(follower);
      timer ??= setInterval(look, everyMs);
      return () => {
        followers.delete(follower);
        if (followers.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    async stop() {
      stopListening();
      clearInterval(timer);
      followers.clear();
      await looking;
    },
  };
}

/** The widget's form of a notification. Its read state comes with the list. */
export function presentNews(item: Notification): NotificationFrame['notification'] {
  const { question, response, url } = item.payload;
  const { id, kind, conversationId: conversation_id, createdAt: created_at } = item;
  return { id, kind, question, response, url, conversation_id, created_at };
}
