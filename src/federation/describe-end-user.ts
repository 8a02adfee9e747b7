import { findUserOf } from '../accounts/accounts.repository.js';
import type { App } from '../platform/app.js';
import { findEndUserOf } from './end-users.repository.js';

/** What an end user is called and where they are written to, as far as it is known. */
export interface EndUserDescription {
  displayName: string | null;
  email: string | null;
  /** Whether the account behind it is disabled: nobody writes to it. */
  disabled: boolean;
}

/** An organization's end user as its host has described it, or as the account is called that it signed in with. */
export async function describeEndUser(
  app: App,
  organizationId: number,
  id: number,
): Promise<EndUserDescription | undefined> {
  const endUser = await findEndUserOf(app, organizationId, id);
  if (endUser === undefined) return undefined;
  const { userId, displayName, email } = endUser;
  if (userId === null) return { displayName, email, disabled: false };
  const user = await findUserOf(app, organizationId, userId);
  return user === undefined
    ? undefined
    : { displayName: user.displayName, email: user.email, disabled: user.disabled };
}
