import type { Knex } from 'knex';
import { activeUserIds, staffAfter } from '../accounts/users/accounts.repository.js';
import type { Person } from '../platform/actor.js';
import type { App } from '../platform/app.js';

type Store = Pick<App, 'db'>;

/** The columns of a table that say whose a row is, and of which app. */
export interface OwnerColumns {
  user: string;
  endUser: string;
  visitor: string;
  app: string;
  /** When the row was made, with the table's name before it. */
  time: string;
}

/**
 * Which of an account's rows a host's page may show. `not of staff` leaves out those from a time when the account was
 * staff: staff may read more than the page.
 */
export type Shared = 'all' | 'not of staff';

/**
 * The rows of an organization that are one person's, under whatever credential they were made: an account has all that
 * belongs to the identities it is linked to, and an identity what the account and its other identities have in the
 * same app. The host of an app can be anyone in its widget: what was said about other apps is none of its business.
 * Links are looked at by the query itself, so that one that ends separates both at once, and that of a disabled
 * account counts for nothing.
 */
export function whereOwn(
  app: Store,
  rows: Knex.QueryBuilder,
  { organizationId, userId, endUserId, visitorId }: Person & { organizationId: number },
  columns: OwnerColumns,
  shared: Shared = 'all',
): Knex.QueryBuilder {
  // A plus keeps an index out of it: a person has few rows, an organization and an app have all of their visitors'.
  const query = rows.whereRaw('+organization_id = ?', [organizationId]);
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
      linked.whereRaw('+?? = ?', [columns.app, app.db.read.raw('(?)', [appId])]);
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

/** The account that an end user is, by a link or by having signed in; undefined where there is none that may sign in. */
export async function accountBehind(app: Store, endUserId: number): Promise<number | undefined> {
  const [row] = (await accountsOf(app, endUserId, true)) as { user_id: number }[];
  return row?.user_id;
}

/** The numbers of the identities that an account is linked to, and of those under which it has signed in itself. */
export async function listIdentitiesOf(app: Store, userId: number): Promise<number[]> {
  const rows = (await identitiesOf(app, (of) => of.where({ user_id: userId }))) as {
    end_user_id: number;
  }[];
  return rows.map(({ end_user_id: id }) => id);
}

/**
 * The end users of an app who are the same person as an owner, and may be told there what is the owner's: by the same
 * rules as whereOwn finds it.
 */
export async function sharersOf(
  app: Store,
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

/** A subquery: the identities that an account is linked to, and those under which it has signed in itself. */
function identitiesOf(
  app: Store,
  of: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
): Knex.QueryBuilder {
  const signedIn = of(app.db.read('end_users').select('id'));
  return of(app.db.read('account_links').select('end_user_id')).unionAll([signedIn]);
}

/** A subquery: the account that an end user is linked to, or has signed in with; staff only where they are wanted. */
function accountsOf(app: Store, endUserId: number, staff: boolean): Knex.QueryBuilder {
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
