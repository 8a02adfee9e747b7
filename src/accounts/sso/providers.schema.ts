import { z } from 'zod';
import { roles } from '../../platform/actor.js';
import { presenter } from '../../platform/wire-names.js';
import { nameText } from '../users/accounts.schema.js';
import type { IdentityProvider } from '../providers/provider.js';

const mapping = z
  .array(z.strictObject({ value: z.string().min(1).max(300), role: z.enum(roles) }))
  .max(200);

export const providerReply = z
  .object({
    id: z.number(),
    name: z.string().describe('Names it in addresses and on the command line.'),
    label: z.string().describe('The label of the sign-in button.'),
    issuer: z.string(),
    client_id: z.string(),
    has_client_secret: z.boolean().describe('False for a public client.'),
    scopes: z.array(z.string()),
    allowed_domains: z
      .array(z.string())
      .describe('Domains of the e-mail addresses that may sign in; empty for all.'),
    role_claim: z.string().nullable().describe('The claim that roles come from, e.g. groups.'),
    role_mapping: z.array(z.object({ value: z.string(), role: z.enum(roles) })),
    default_role: z
      .enum(roles)
      .nullable()
      .describe('The role of people without a mapped role; null refuses them an account.'),
    trusts_email: z
      .boolean()
      .describe('True: its addresses count as verified even if it does not say so.'),
    disabled: z.boolean(),
    created_at: z.string().describe('ISO 8601, UTC.'),
    updated_at: z.string().describe('ISO 8601, UTC.'),
  })
  .meta({ id: 'IdentityProvider' });

const present = presenter(providerReply);

export function presentProvider(provider: IdentityProvider): z.output<typeof providerReply> {
  return present({ ...provider, hasClientSecret: provider.hasSecret });
}

export const providerFindingsReply = z.object({
  ok: z.boolean(),
  problems: z.array(z.string()).describe('In plain words; empty without problems.'),
  redirect_uri: z
    .string()
    .nullable()
    .describe('Register it at the provider. Null when server.public_url is not set.'),
  authorization_endpoint: z.string().nullable(),
  end_session_endpoint: z
    .string()
    .nullable()
    .describe('Null when people are not signed out of the provider too.'),
});

export const presentFindings = presenter(providerFindingsReply);

const required = {
  name: z.string().min(1).max(60),
  issuer: z.string().min(1).max(1000),
  client_id: nameText.max(300),
};
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
  ...required,
  client_secret: clientSecret.optional(),
  ...optional,
});

export const providerChangeBody = z.strictObject({
  ...z.object(required).partial().shape,
  client_secret: clientSecret.nullable().optional(),
  ...optional,
});
