import { findUserOf } from '../accounts/users/accounts.repository.js';
import type { App } from '../platform/app.js';
import { endUsers } from './end-users.repository.js';
import { accountBehind } from './one-person.repository.js';

/** An end user's name and e-mail address, if known. */
export interface EndUserDescription {
  displayName: string | null;
  email: string | null;
  /** True when the account behind it is disabled: it receives no mail. */
  disabled: boolean;
}

/** Describes an end user by the account with which it signed in or is linked, else by its host's data. */
export async function describeEndUser(
  app: App,
  organizationId: number,
  id: number,
): Promise<EndUserDescription | undefined> {
  const endUser = await endUsers.find(app, { organizationId, id });
  if (endUser === undefined) return undefined;
  const { userId, displayName, email } = endUser;
  if (userId === null) {
    const linked = await accountBehind(app, id);
    const account =
      linked === undefined ? undefined : await findUserOf(app, organizationId, linked);
    return {
      displayName: account?.displayName ?? displayName,
      email: email ?? account?.email ?? null,
      disabled: false,
    };
  }
  const user = await findUserOf(app, organizationId, userId);
  return user === undefined
    ? undefined
    : { displayName: user.displayName, email: user.email, disabled: user.disabled };
}
