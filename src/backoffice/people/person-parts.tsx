import { z } from 'zod';
import type { User } from '../../accounts/users/accounts.repository.js';
import { Badge } from '../layout/badge.js';
import { Field } from '../layout/form.js';
import { useShown } from '../layout/shown.js';

/** A password that an admin sets. The use-case checks its length. */
export const newPassword = z.string().max(1000);

/** The field of a form `of` for a password that an admin sets. */
export function NewPasswordField(given: { of: string; hint: string }) {
  const { say } = useShown();
  const field = { name: 'password', label: say.labels.password, type: 'password' } as const;
  return <Field {...given} {...field} required autoComplete="new-password" />;
}

export function personName({ displayName, email }: Pick<User, 'displayName' | 'email'>): string {
  return displayName === '' ? email : displayName;
}

export function StateBadge({ user }: { user: Pick<User, 'disabled'> }) {
  const { say } = useShown();
  const { states } = say.people;
  return user.disabled ? (
    <Badge tone="warning" text={states.disabled} />
  ) : (
    <Badge tone="good" text={states.active} />
  );
}
