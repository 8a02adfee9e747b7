import { sharersOf } from '../federation/one-person.repository.js';
import type { Notification } from '../notifications/notification.js';
import {
  latestNotificationId,
  listNotificationsSince,
} from '../notifications/notifications.repository.js';
import { personOf, type WidgetPerson } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { NotificationFrame } from '../chat/protocol.js';

/** How often other processes' notifications are looked for, in milliseconds. */
const usualInterval = 2000;

export interface NotificationWatch {
  /**
   * Tells of each notification of a person that is made after it resolves, and of some that were made since it was
   * called; of each once. Resolves to how to end that.
   */
  follow(person: WidgetPerson, tell: (notification: Notification) => void): Promise<() => void>;
  stop(): Promise<void>;
}

interface Follower {
  person: WidgetPerson;
  tell: (notification: Notification) => void;
  /** The last notification that was looked at for it. */
  after: number;
}

/**
 * Sees the notifications that any process has made for the people of widgets: asks the database once for all of them,
 * every so often while there are any, and at once where this process may have made one.
 */
export function watchNotifications(app: App, everyMs = usualInterval): NotificationWatch {
  const followers = new Set<Follower>();
  /** Everybody was told of all up to this one. */
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
      // Of a link its person alone is told: the account may be a thief's.
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
      // What came while it was asked for is looked at again: the others know that they have been told.
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

/** A notification as a widget is told of it; whether it was read is asked for with the list. */
export function presentNews(item: Notification): NotificationFrame['notification'] {
  const { question, response, url } = item.payload;
  const { id, kind, conversationId: conversation_id, createdAt: created_at } = item;
  return { id, kind, question, response, url, conversation_id, created_at };
}
