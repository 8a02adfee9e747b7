import type { Role } from '../../platform/actor.js';
import { flag, json, plain, record, type RecordOf } from '../../platform/db/record.js';

export const providers = record({
  id: plain<number>(),
  organizationId: plain<number>(),
  /** Its name in URLs and on the command line: a–z, 0–9 and hyphens. Unique in its organization. */
  name: plain<string>(),
  label: plain<string>(),
  issuer: plain<string>(),
  clientId: plain<string>(),
  /** Separated by blanks. */
  scopes: plain<string>(),
  /** Domains of the e-mail addresses that may sign in; empty means every address. */
  allowedDomains: json<string[]>(),
  /** The claim that contains the roles, e.g. `groups` or `realm_access.roles`. Null: roles are assigned here. */
  roleClaim: plain<string | null>(),
  roleMapping: json<RoleOfValue[]>(),
  /** The role of people without a mapped role. Null admits only people whom an admin has added or the mapping names. */
  defaultRole: plain<Role | null>(),
  /** True when its addresses count as verified although it does not say so. Entra ID never does. */
  trustsEmail: flag(),
  disabled: flag(),
  createdAt: plain<string>(),
  updatedAt: plain<string>(),
});

/** An OpenID Connect provider for the sign-in of an organization's people. */
export interface IdentityProvider extends Omit<RecordOf<typeof providers>, 'scopes'> {
  /** False for a public client. */
  hasSecret: boolean;
  scopes: string[];
}

export interface RoleOfValue {
  /** A value of the claim, compared exactly. */
  value: string;
  role: Role;
}

export type ProviderFields = Omit<
  IdentityProvider,
  'id' | 'organizationId' | 'hasSecret' | 'createdAt' | 'updatedAt'
>;

type Given<T> = { [K in keyof T]?: T[K] | undefined };

/** The fields of a new provider. Missing ones get defaults. */
export type NewProvider = Pick<ProviderFields, 'name' | 'issuer' | 'clientId'> &
  Given<ProviderFields> & { clientSecret?: string | undefined };

/** The changes to a provider. `clientSecret`: null makes it a public client. */
export type ProviderChange = Given<ProviderFields> & { clientSecret?: string | null | undefined };

export interface ProviderFindings {
  ok: boolean;
  /** The problems, in plain words; empty when there are none. */
  problems: string[];
  /** The redirect address to register at the provider; null when the server's public address is not configured. */
  redirectUri: string | null;
  authorizationEndpoint: string | null;
  endSessionEndpoint: string | null;
}

/** The purpose with which a client secret is encrypted. */
export function secretPurpose({ organizationId }: { organizationId: number }): string {
  return `identity_provider:${organizationId}`;
}
