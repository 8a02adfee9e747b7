import { personOf, requireAsker, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import type { Notification } from './notification.js';
import {
  countUnreadOf,
  findNotification,
  listNotificationsOf,
  markRead,
  type NotificationFilter,
  type Reader,
} from './notifications.repository.js';

/**
 * A page of the actor's own notifications, newest first. The machine's operator has none. For end users and visitors,
 * `over` must be the widget, in every function here.
 */
export async function listNotifications(
  app: App,
  actor: Actor,
  input: Page & NotificationFilter,
  over?: 'widget',
): Promise<Paged<Notification>> {
  const reader = readerOf(actor, over);
  if (reader === undefined) return { items: [], total: 0 };
  return listNotificationsOf(app, reader, input);
}

export async function countUnread(app: App, actor: Actor, over?: 'widget'): Promise<number> {
  const reader = readerOf(actor, over);
  return reader === undefined ? 0 : countUnreadOf(app, reader);
}

/** Marks one of the actor's own notifications as read. Errors: `not_found` for any other. */
export async function readNotification(
  app: App,
  actor: Actor,
  id: number,
  over?: 'widget',
): Promise<Notification> {
  const reader = readerOf(actor, over);
  const found = reader === undefined ? undefined : await findNotification(app, reader, id);
  if (reader === undefined || found === undefined) throw unknown(id);
  await markRead(app, id);
  return (await findNotification(app, reader, id)) ?? found;
}

function readerOf(actor: Actor, over: 'widget' | undefined): Reader | undefined {
  const asker = requireAsker(actor, over === 'widget');
  if (asker.kind === 'operator') return undefined;
  return { organizationId: asker.organizationId, ...personOf(asker) };
}

function unknown(id: number): AppError {
  return new AppError('not_found', `You have no notification ${id}.`);
}
