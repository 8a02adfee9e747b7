import { z } from 'zod';
import { roles } from '../../platform/actor.js';
import { nameText } from '../accounts.schema.js';
import type {
  IdentityProvider,
  NewProvider,
  ProviderChange,
  ProviderFindings,
} from './provider.js';

const mapping = z
  .array(z.strictObject({ value: z.string().min(1).max(300), role: z.enum(roles) }))
  .max(200);

export const providerReply = z
  .object({
    id: z.number(),
    name: z.string().describe('Names it in addresses and on the command line.'),
    label: z.string().describe('What a page’s button says.'),
    issuer: z.string(),
    client_id: z.string(),
    has_client_secret: z.boolean().describe('False for a public client.'),
    scopes: z.array(z.string()),
    allowed_domains: z
      .array(z.string())
      .describe('Of the e-mail addresses that may sign in; empty for all.'),
    role_claim: z.string().nullable().describe('The claim that roles come from, e.g. groups.'),
    role_mapping: z.array(z.object({ value: z.string(), role: z.enum(roles) })),
    default_role: z
      .enum(roles)
      .nullable()
      .describe('Of those whom the mapping gives no role; null lets none of them get an account.'),
    trusts_email: z
      .boolean()
      .describe('Whether its addresses count as verified though it does not say so.'),
    disabled: z.boolean(),
    created_at: z.string().describe('ISO 8601, UTC.'),
    updated_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'IdentityProvider' });

export function presentProvider(provider: IdentityProvider): z.output<typeof providerReply> {
  return {
    id: provider.id,
    name: provider.name,
    label: provider.label,
    issuer: provider.issuer,
    client_id: provider.clientId,
    has_client_secret: provider.hasSecret,
    scopes: provider.scopes,
    allowed_domains: provider.allowedDomains,
    role_claim: provider.roleClaim,
    role_mapping: provider.roleMapping,
    default_role: provider.defaultRole,
    trusts_email: provider.trustsEmail,
    disabled: provider.disabled,
    created_at: provider.createdAt,
    updated_at: provider.updatedAt,
  };
}

export const providerFindingsReply = z.object({
  ok: z.boolean(),
  problems: z.array(z.string()).describe('In plain words; empty where nothing is wrong.'),
  redirect_uri: z
    .string()
    .nullable()
    .describe('To be registered at the provider; null where server.public_url is not set.'),
  authorization_endpoint: z.string().nullable(),
  end_session_endpoint: z
    .string()
    .nullable()
    .describe('Null where people are not signed out of the provider too.'),
});

export function presentFindings(found: ProviderFindings): z.output<typeof providerFindingsReply> {
  return {
    ok: found.ok,
    problems: found.problems,
    redirect_uri: found.redirectUri,
    authorization_endpoint: found.authorizationEndpoint,
    end_session_endpoint: found.endSessionEndpoint,
  };
}

const name = z.string().min(1).max(60);
const issuer = z.string().min(1).max(1000);
const clientId = nameText.max(300);
const clientSecret = z.string().min(1).max(2000);

const optional = {
  label: nameText.optional(),
  scopes: z.array(z.string().min(1).max(200)).max(50).optional(),
  allowed_domains: z.array(z.string().min(1).max(255)).max(200).optional(),
  role_claim: nameText.nullable().optional(),
  role_mapping: mapping.optional(),
  default_role: z.enum(roles).nullable().optional(),
  trusts_email: z.boolean().optional(),
  disabled: z.boolean().optional(),
};

export const newProviderBody = z.strictObject({
  name,
  issuer,
  client_id: clientId,
  client_secret: clientSecret.optional(),
  ...optional,
});

export const providerChangeBody = z.strictObject({
  name: name.optional(),
  issuer: issuer.optional(),
  client_id: clientId.optional(),
  client_secret: clientSecret.nullable().optional(),
  ...optional,
});

export function readNewProvider(body: z.output<typeof newProviderBody>): NewProvider {
  const { name, issuer, client_id, client_secret, ...rest } = body;
  const clientSecret = client_secret;
  return { ...readOptional(rest), name, issuer, clientId: client_id, clientSecret };
}

export function readProviderChange(body: z.output<typeof providerChangeBody>): ProviderChange {
  const { name, issuer, client_id, client_secret, ...rest } = body;
  const clientSecret = client_secret;
  return { ...readOptional(rest), name, issuer, clientId: client_id, clientSecret };
}

function readOptional(
  body: Omit<
    z.output<typeof providerChangeBody>,
    'name' | 'issuer' | 'client_id' | 'client_secret'
  >,
) {
  return {
    label: body.label,
    scopes: body.scopes,
    allowedDomains: body.allowed_domains,
    roleClaim: body.role_claim,
    roleMapping: body.role_mapping,
    defaultRole: body.default_role,
    trustsEmail: body.trusts_email,
    disabled: body.disabled,
  };
}
