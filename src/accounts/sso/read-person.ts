import { roles, type Role } from '../../platform/actor.js';
import type { IdentityProvider } from '../providers/provider.js';

/** Whom a provider vouches for, of what its rules here look at. */
export interface VouchedPerson {
  subject: string;
  /** Undefined where it names none that is an address in ASCII. */
  email: string | undefined;
  emailVerified: boolean;
  displayName: string | undefined;
  /** By the mapping, else the default; undefined where neither gives one. */
  role: Role | undefined;
}

export type Claims = Record<string, unknown>;

/** What no account can have. */
const longestName = 200;
/** As OpenID Connect has it, but for letters outside of ASCII, which some providers send. */
const subjectPattern = /^[^\p{Cc}\p{Cs}]{1,255}$/u;
/** Of a claim: nobody has more groups. */
const mostValues = 2000;

/**
 * Reads whom the claims of an ID token are about; those of the userinfo endpoint add what it lacks. Throws where they
 * name no subject: others would be taken for the same person once they are stored.
 */
export function readPerson(
  provider: Pick<IdentityProvider, 'roleClaim' | 'roleMapping' | 'defaultRole' | 'trustsEmail'>,
  token: Claims & { sub: string },
  userinfo: Claims = {},
): VouchedPerson {
  const claims = { ...userinfo, ...token };
  const { sub, name } = claims;
  if (!subjectPattern.test(sub)) throw new Error('the subject is none');
  // Of one source both: who verified one address has not verified the other.
  const { email, email_verified: verified } = 'email' in token ? token : userinfo;
  const isAddress =
    typeof email === 'string' &&
    // ASCII alone: other letters become ASCII ones where case does not count, as the Kelvin sign becomes a k.
    /^[!-?A-~]{1,64}@[!-?A-~]{1,255}$/.test(email);
  return {
    subject: sub,
    email: isAddress ? email : undefined,
    // Some write the word where the standard has the boolean.
    emailVerified:
      verified === true || verified === 'true' || (verified === undefined && provider.trustsEmail),
    displayName: typeof name === 'string' ? oneLineOf(name) : undefined,
    role: roleOf(provider, claims),
  };
}

/** Whether the claims lack what is looked at, so that the provider is to be asked for more. */
export function isLacking(
  { roleClaim }: Pick<IdentityProvider, 'roleClaim'>,
  claims: Claims,
): boolean {
  return (
    claims['email'] === undefined ||
    (roleClaim !== null && valuesOf(claims, roleClaim).length === 0)
  );
}

/** The highest role that the mapping gives for any value of the claim. */
function roleOf(
  provider: Pick<IdentityProvider, 'roleClaim' | 'roleMapping' | 'defaultRole'>,
  claims: Claims,
): Role | undefined {
  const { roleClaim, roleMapping, defaultRole } = provider;
  const values = new Set(roleClaim === null ? [] : valuesOf(claims, roleClaim));
  const given = roleMapping.filter(({ value }) => values.has(value)).map(({ role }) => role);
  return roles.findLast((role) => given.includes(role)) ?? defaultRole ?? undefined;
}

/** A claim's texts, by its name, else by a path with dots. */
function valuesOf(claims: Claims, name: string): string[] {
  const found = Object.hasOwn(claims, name)
    ? claims[name]
    : name.split('.').reduce<unknown>((within, key) => ownValue(within, key), claims);
  const values: unknown[] = Array.isArray(found) ? found.slice(0, mostValues) : [found];
  return values.filter((value) => typeof value === 'string');
}

function ownValue(within: unknown, key: string): unknown {
  const isObject = typeof within === 'object' && within !== null && Object.hasOwn(within, key);
  return isObject ? (within as Record<string, unknown>)[key] : undefined;
}

function oneLineOf(text: string): string | undefined {
  const line = text.replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
  return line === '' || line.length > longestName ? undefined : line;
}
