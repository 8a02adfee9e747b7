import { roles, type Role } from '../../platform/actor.js';
import type { IdentityProvider } from '../providers/provider.js';

/** The person whom a provider has identified, as far as the provider's rules need it. */
export interface VouchedPerson {
  subject: string;
  /** Undefined when the provider names no valid ASCII address. */
  email: string | undefined;
  emailVerified: boolean;
  displayName: string | undefined;
  /** The mapped role, else the default role; undefined without either. */
  role: Role | undefined;
}

export type Claims = Record<string, unknown>;

/** An account's name is shorter. */
const longestName = 200;
/** The standard's subjects, plus letters outside ASCII, which some providers send. */
const subjectPattern = /^[^\p{Cc}\p{Cs}]{1,255}$/u;
/** The most values of a claim; nobody has more groups. */
const mostValues = 2000;

/**
 * Reads the person from the claims of an ID token. Claims of the userinfo endpoint fill the gaps. Throws without a
 * subject: stored identities without one would match other people.
 */
export function readPerson(
  provider: Pick<IdentityProvider, 'roleClaim' | 'roleMapping' | 'defaultRole' | 'trustsEmail'>,
  token: Claims & { sub: string },
  userinfo: Claims = {},
): VouchedPerson {
  const claims = { ...userinfo, ...token };
  const { sub, name } = claims;
  if (!subjectPattern.test(sub)) throw new Error('the subject is none');
  // Take both from the same source: verifying one address does not verify another.
  const { email, email_verified: verified } = 'email' in token ? token : userinfo;
  const isAddress =
    typeof email === 'string' &&
    // ASCII only: case folding turns some other letters into ASCII letters, e.g. the Kelvin sign into k.
    /^[!-?A-~]{1,64}@[!-?A-~]{1,255}$/.test(email);
  return {
    subject: sub,
    email: isAddress ? email : undefined,
    // Some providers send the word instead of the boolean.
    emailVerified:
      verified === true || verified === 'true' || (verified === undefined && provider.trustsEmail),
    displayName: typeof name === 'string' ? oneLineOf(name) : undefined,
    role: roleOf(provider, claims),
  };
}

/** True when claims are missing, so that the userinfo endpoint must be asked. */
export function isLacking(
  { roleClaim }: Pick<IdentityProvider, 'roleClaim'>,
  claims: Claims,
): boolean {
  return (
    claims['email'] === undefined ||
    (roleClaim !== null && valuesOf(claims, roleClaim).length === 0)
  );
}

/** The highest role that the mapping gives for the claim's values. */
function roleOf(
  provider: Pick<IdentityProvider, 'roleClaim' | 'roleMapping' | 'defaultRole'>,
  claims: Claims,
): Role | undefined {
  const { roleClaim, roleMapping, defaultRole } = provider;
  const values = new Set(roleClaim === null ? [] : valuesOf(claims, roleClaim));
  const given = roleMapping.filter(({ value }) => values.has(value)).map(({ role }) => role);
  return roles.findLast((role) => given.includes(role)) ?? defaultRole ?? undefined;
}

/** The texts of a claim, by its name, else by a dotted path. */
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
