import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import type { Notification } from './notification.js';
import {
  findNotification,
  listNotificationsOf,
  markRead,
  type Reader,
} from './notifications.repository.js';

/** A page of the actor's own notifications, newest first. The operator of the machine has none. */
export async function listNotifications(
  app: App,
  actor: Actor,
  input: Page & { unread?: boolean | undefined },
): Promise<Paged<Notification>> {
  const reader = readerOf(actor);
  if (reader === undefined) return { items: [], total: 0 };
  return listNotificationsOf(app, reader, { ...input, unread: input.unread });
}

/** Marks one of the actor's own notifications as read. Refuses with `not_found` those of others. */
export async function readNotification(app: App, actor: Actor, id: number): Promise<Notification> {
  const reader = readerOf(actor);
  const found = reader === undefined ? undefined : await findNotification(app, reader, id);
  if (reader === undefined || found === undefined) throw unknown(id);
  await markRead(app, id);
  return (await findNotification(app, reader, id)) ?? found;
}

function readerOf(actor: Actor): Reader | undefined {
  const member = requirePermission(actor, 'ask');
  const { organizationId } = member;
  return member.kind === 'user' ? { organizationId, userId: member.userId } : undefined;
}

function unknown(id: number): AppError {
  return new AppError('not_found', `You have no notification ${id}.`);
}
