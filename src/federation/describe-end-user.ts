import { findUserOf } from '../accounts/users/accounts.repository.js';
import type { App } from '../platform/app.js';
import { findEndUserOf } from './end-users.repository.js';
import { accountBehind } from './one-person.repository.js';

/** What an end user is called and where they are written to, as far as it is known. */
export interface EndUserDescription {
  displayName: string | null;
  email: string | null;
  /** Whether the account behind it is disabled: nobody writes to it. */
  disabled: boolean;
}

/**
 * An organization's end user by the name of the account that it signed in with or is linked to, else as its host has
 * described it.
 */
export async function describeEndUser(
  app: App,
  organizationId: number,
  id: number,
): Promise<EndUserDescription | undefined> {
  const endUser = await findEndUserOf(app, organizationId, id);
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
