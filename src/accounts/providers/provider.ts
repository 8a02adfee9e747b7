import type { Role } from '../../platform/actor.js';

/** An OpenID Connect provider that an organization's people sign in by. */
export interface IdentityProvider {
  id: number;
  organizationId: number;
  /** Names it in addresses and on the command line: a–z, 0–9 and hyphens; unique in its organization. */
  name: string;
  /** What a page's button says. */
  label: string;
  issuer: string;
  clientId: string;
  /** False for a public client. */
  hasSecret: boolean;
  scopes: string[];
  /** Of the e-mail addresses that may sign in; empty for all that the provider vouches for. */
  allowedDomains: string[];
  /** The claim that roles come from, e.g. `groups` or `realm_access.roles`; null: roles are given here. */
  roleClaim: string | null;
  roleMapping: RoleOfValue[];
  /** Of those whom the mapping gives no role; null lets in nobody but whom an admin has added, or the mapping names. */
  defaultRole: Role | null;
  /** Whether its addresses count as verified though it does not say so, as Entra ID never does. */
  trustsEmail: boolean;
  disabled: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface RoleOfValue {
  /** Of the claim, compared exactly. */
  value: string;
  role: Role;
}

/** What a provider is set up with. */
export type ProviderFields = Omit<
  IdentityProvider,
  'id' | 'organizationId' | 'hasSecret' | 'createdAt' | 'updatedAt'
>;

type Given<T> = { [K in keyof T]?: T[K] | undefined };

/** The fields of a new provider. Those left out have defaults. */
export type NewProvider = Pick<ProviderFields, 'name' | 'issuer' | 'clientId'> &
  Given<ProviderFields> & { clientSecret?: string | undefined };

/** What is to change of a provider. `clientSecret`: null makes it a public client. */
export type ProviderChange = Given<ProviderFields> & { clientSecret?: string | null | undefined };

/** What a check of a provider found. */
export interface ProviderFindings {
  ok: boolean;
  /** What is wrong, in plain words; empty where nothing is. */
  problems: string[];
  /** What is to be registered at the provider; null where the server's public address is not set. */
  redirectUri: string | null;
  authorizationEndpoint: string | null;
  endSessionEndpoint: string | null;
}

/** What a client secret is encrypted for. */
export function secretPurpose({ organizationId }: { organizationId: number }): string {
  return `identity_provider:${organizationId}`;
}
