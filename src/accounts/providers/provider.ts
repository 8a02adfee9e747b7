import type { Role } from '../../platform/actor.js';

/** An OpenID Connect provider for the sign-in of an organization's people. */
export interface IdentityProvider {
  id: number;
  organizationId: number;
  /** Its name in URLs and on the command line: a–z, 0–9 and hyphens. Unique in its organization. */
  name: string;
  label: string;
  issuer: string;
  clientId: string;
  /** False for a public client. */
  hasSecret: boolean;
  scopes: string[];
  /** Domains of the e-mail addresses that may sign in; empty means every address. */
  allowedDomains: string[];
  /** The claim that contains the roles, e.g. `groups` or `realm_access.roles`. Null: roles are assigned here. */
  roleClaim: string | null;
  roleMapping: RoleOfValue[];
  /** The role of people without a mapped role. Null admits only people whom an admin has added or the mapping names. */
  defaultRole: Role | null;
  /** True when its addresses count as verified although it does not say so. Entra ID never does. */
  trustsEmail: boolean;
  disabled: boolean;
  createdAt: string;
  updatedAt: string;
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
