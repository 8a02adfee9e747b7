import type { Knex } from 'knex';
import { whereOwn } from '../federation/one-person.repository.js';
import type { Store } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertRow } from '../platform/db/record.js';
import { countOf, type Page, type Paged } from '../platform/db/select-page.js';
import {
  notifications,
  type News,
  type Notification,
  type NotificationKind,
  type Recipient,
} from './notification.js';

interface RecipientRow {
  app_id: number | null;
  user_id: number | null;
  end_user_id: number | null;
  visitor_id: string | null;
}

const recipientColumns = {
  user: 'user_id',
  endUser: 'end_user_id',
  visitor: 'visitor_id',
  app: 'app_id',
  time: 'notifications.created_at',
};

/** Stores a notification. The database refuses a second one with the same dedupe key. */
export async function insertNotification(
  app: Store,
  fields: {
    organizationId: number;
    recipient: Recipient;
    appId: number | null;
    conversationId: string | null;
    dedupeKey: string;
    kind: NotificationKind;
    payload: News;
  },
): Promise<number> {
  await app.db.dialect.lockOrder(app.db.write, 'notifications');
  return insertRow(app.db.write, 'notifications', {
    organization_id: fields.organizationId,
    app_id: fields.appId,
    conversation_id: fields.conversationId,
    user_id: fields.recipient.userId,
    end_user_id: fields.recipient.endUserId,
    visitor_id: fields.recipient.visitorId,
    kind: fields.kind,
    dedupe_key: fields.dedupeKey,
    payload: JSON.stringify(fields.payload),
    created_at: timestamp(app.clock),
  });
}

/** Passes the notifications of a visitor's conversation to an end user. */
export async function giveNotificationsOf(
  app: Store,
  conversationId: string,
  visitorIds: string[],
  endUserId: number,
): Promise<void> {
  await app.db
    .write('notifications')
    .where({ conversation_id: conversationId })
    .whereIn('visitor_id', visitorIds)
    .update({ visitor_id: null, end_user_id: endUserId });
}

/** The person whose notifications are read. */
export interface Reader extends Recipient {
  organizationId: number;
}

/** Conditions of a list; all must match. */
export interface NotificationFilter {
  unread?: boolean | undefined;
  conversationId?: string | undefined;
}

/** A page of a person's notifications, newest first. */
export async function listNotificationsOf(
  app: Store,
  reader: Reader,
  page: Page & NotificationFilter,
): Promise<Paged<Notification>> {
  const query = ownedBy(app, reader);
  if (page.conversationId !== undefined) query.where({ conversation_id: page.conversationId });
  if (page.unread === true) query.whereNull('read_at');
  if (page.unread === false) query.whereNotNull('read_at');
  const order = [{ column: 'id', order: 'desc' as const }];
  return notifications.page(query, order, page);
}

export async function findNotification(
  app: Store,
  reader: Reader,
  id: number,
): Promise<Notification | undefined> {
  return notifications.first(ownedBy(app, reader).where({ id }));
}

/** Marks a notification as read. The first time stays. */
export async function markRead(app: Store, id: number): Promise<void> {
  await app.db
    .write('notifications')
    .where({ id })
    .whereNull('read_at')
    .update({ read_at: timestamp(app.clock) });
}

export async function countUnreadOf(app: Store, reader: Reader): Promise<number> {
  return countOf(ownedBy(app, reader).whereNull('read_at'));
}

/** The id of the latest notification for anybody; 0 without any. */
export async function latestNotificationId(app: Store): Promise<number> {
  const row = await app.db.read('notifications').max({ last: 'id' }).first();
  return (row as { last: number | null }).last ?? 0;
}

const mostNews = 200;

/**
 * The notifications of all organizations after an id, oldest first. Only for the job that passes each one to its own
 * recipient; it decides who may see a user's notification in the widget of its app.
 */
export async function listNotificationsSince(
  app: Store,
  after: number,
): Promise<{ notification: Notification; recipient: Recipient; appId: number | null }[]> {
  const rows = await app.db
    .read<RecipientRow & { id: number; kind: string }>('notifications')
    .where('id', '>', after)
    .whereNot({ kind: 'source_run' })
    .orderBy('id')
    .limit(mostNews)
    .select('*');
  return rows.map((row) => ({
    notification: notifications.read(row),
    appId: row.app_id,
    recipient: {
      userId: row.user_id,
      endUserId: row.end_user_id,
      visitorId: row.visitor_id,
    },
  }));
}

function ownedBy(app: Store, reader: Reader): Knex.QueryBuilder {
  const shown = app.db.read('notifications').whereNot({ kind: 'source_run' });
  const own = whereOwn(app, shown, reader, recipientColumns, 'not of staff');
  // A thief who has linked an identity must not be able to read or hide the warning to its person.
  return own.where((told: Knex.QueryBuilder) => {
    void told.whereNot({ kind: 'account_linked' }).orWhere({ end_user_id: reader.endUserId ?? 0 });
  });
}
