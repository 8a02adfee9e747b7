import type { Knex } from 'knex';
import { activeUserIds, staffAfter } from '../accounts/users/accounts.repository.js';
import type { Person } from '../platform/actor.js';
import type { WithDb } from '../platform/app.js';

/** The columns that name the owner and the app of a table's rows. */
export interface OwnerColumns {
  user: string;
  endUser: string;
  visitor: string;
  app: string;
  /** The time of creation, qualified by the table's name. */
  time: string;
}

/**
 * The rows of an account that a host's page may show. `not of staff` excludes rows from the time when the account was
 * staff, because staff may read more than the page.
 */
export type Shared = 'all' | 'not of staff';

/**
 * Selects the rows of one person in an organization, under any credential. An account owns everything of its linked
 * identities. An identity owns the rows of its account, and of the account's other identities in the same app. A host
 * can act as anyone in its widget, so it must not see rows about other apps. The query itself reads the links, so the
 * end of a link separates both sides at once; links of a disabled account do not count.
 */
export function whereOwn(
  app: WithDb,
  rows: Knex.QueryBuilder,
  { organizationId, userId, endUserId, visitorId }: Person & { organizationId: number },
  columns: OwnerColumns,
  shared: Shared = 'all',
): Knex.QueryBuilder {
  // Without this index: a person has few rows, an organization or app has those of all visitors.
  const { unindexed } = app.db.dialect;
  const query = rows.whereRaw(`${unindexed}organization_id = ?`, [organizationId]);
  if (userId !== null) {
    const identities = identitiesOf(app, (user) => user.where({ user_id: userId }));
    return query.where((own) => {
      void own.where(columns.user, userId).orWhereIn(columns.endUser, identities);
    });
  }
  if (endUserId !== null) {
    const accounts = (staff: boolean) => accountsOf(app, endUserId, staff);
    const siblings = identitiesOf(app, (of) => of.whereIn('user_id', accounts(true)));
    const appId = app.db.read('end_users').where({ id: endUserId }).select('app_id');
    const here = (linked: Knex.QueryBuilder) =>
      linked.whereRaw(`${unindexed}?? = ?`, [columns.app, app.db.read.raw('(?)', [appId])]);
    return query.where((own) => {
      void own
        .where(columns.endUser, endUserId)
        .orWhere((linked) => {
          void here(linked).whereIn(columns.user, accounts(shared === 'all'));
          if (shared === 'all') return;
          void linked.whereNotExists(staffAfter(app, columns));
        })
        .orWhere((linked) => {
          void here(linked).whereIn(columns.endUser, siblings);
        });
    });
  }
  if (visitorId !== null) return query.where(columns.visitor, visitorId);
  return query.where({ [columns.user]: null, [columns.endUser]: null, [columns.visitor]: null });
}

/** The account of an end user, by a link or a sign-in; undefined without an active account. */
export async function accountBehind(app: WithDb, endUserId: number): Promise<number | undefined> {
  const [row] = (await accountsOf(app, endUserId, true)) as { user_id: number }[];
  return row?.user_id;
}

/** The ids of an account's linked identities, and of those with which it signed in itself. */
export async function listIdentitiesOf(app: WithDb, userId: number): Promise<number[]> {
  const rows = (await identitiesOf(app, (of) => of.where({ user_id: userId }))) as {
    end_user_id: number;
  }[];
  return rows.map(({ end_user_id: id }) => id);
}

/** The end users of an app who are the same person as an owner and may see the owner's data (whereOwn). */
export async function sharersOf(
  app: WithDb,
  { userId, endUserId }: Person,
  appId: number | null,
): Promise<number[]> {
  if (appId === null) return [];
  const accounts =
    userId === null
      ? accountsOf(app, endUserId ?? 0, true)
      : activeUserIds(app, { staff: false }).where({ id: userId });
  const rows = await app.db
    .read<{ id: number; app_id: number }>('end_users')
    .where({ app_id: appId })
    .whereIn(
      'id',
      identitiesOf(app, (of) => of.whereIn('user_id', accounts)),
    )
    .select('id');
  return rows.map(({ id }) => id);
}

/** A subquery: an account's linked identities, and those with which it signed in itself. */
function identitiesOf(
  app: WithDb,
  of: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
): Knex.QueryBuilder {
  const signedIn = of(app.db.read('end_users').select('id'));
  return of(app.db.read('account_links').select('end_user_id')).unionAll([signedIn]);
}

/** A subquery: the account that an end user is linked with or has signed in with; staff only if requested. */
function accountsOf(app: WithDb, endUserId: number, staff: boolean): Knex.QueryBuilder {
  const active = () => activeUserIds(app, { staff });
  const signedIn = app.db
    .read('end_users')
    .where({ id: endUserId })
    .whereIn('user_id', active())
    .select('user_id');
  return app.db
    .read('account_links')
    .where({ end_user_id: endUserId })
    .whereIn('user_id', active())
    .select('user_id')
    .unionAll([signedIn]);
}
