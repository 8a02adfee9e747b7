import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { mayBePublic } from '../../platform/http/public-address.js';
import { parseUrl } from '../../platform/text/parse-url.js';
import { mayBePlain } from '../providers/connect-provider.js';
import type { ProviderFields } from '../providers/provider.js';

const one = {
  name: /^[a-z0-9][a-z0-9-]{0,59}$/,
  /** The characters of a scope token in RFC 6749. */
  scope: /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/,
  /** Compared with the whole domain of an ASCII address. */
  domain: /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i,
};

/** Validates and normalizes the fields of a provider. Errors: `invalid_request`, naming all problems. */
export function checkProvider(app: Pick<App, 'config'>, fields: ProviderFields): ProviderFields {
  const scopes = [...new Set(['openid', ...fields.scopes])];
  const allowedDomains = [...new Set(fields.allowedDomains.map((name) => name.toLowerCase()))];
  const wrong: Record<string, string | undefined> = {
    name: one.name.test(fields.name)
      ? undefined
      : 'must be a–z, 0–9 and hyphens, 60 characters at most',
    issuer: faultOfIssuer(app, fields.issuer),
    scopes: scopes.every((scope) => one.scope.test(scope))
      ? undefined
      : 'must be names without blanks or quotes',
    allowed_domains: fields.allowedDomains.every((name) => one.domain.test(name))
      ? undefined
      : 'must be complete domains such as example.com, with each subdomain listed; non-ASCII ones as xn--…',
    role_mapping:
      fields.roleClaim === null && fields.roleMapping.length > 0
        ? 'needs role_claim, the claim whose values it maps'
        : undefined,
  };
  const problems = Object.entries(wrong).flatMap(([path, message]) =>
    message === undefined ? [] : [{ path, message }],
  );
  if (problems.length > 0) {
    const sentence = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
    throw new AppError('invalid_request', sentence, { problems });
  }
  return { ...fields, scopes, allowedDomains };
}

/** The error for an issuer that serves all tenants. */
export const oneTenant =
  'must be the address of one tenant, with its id (https://login.microsoftonline.com/<tenant id>/v2.0): tokens name that one, and people of all tenants could come';

/** True for an Entra ID issuer of all tenants, which no token names. */
export function isOfManyTenants(issuer: string): boolean {
  const url = parseUrl(issuer);
  const isEntra = /^login\.(microsoftonline\.(com|us)|partner\.microsoftonline\.cn)$/;
  const stands = /^\/(common|organizations|consumers|%7[bB].*%7[dD])(\/|$)/i;
  return url !== undefined && isEntra.test(url.hostname) && stands.test(url.pathname);
}

/** The addresses of the host are checked at each connection, because they may change. */
function faultOfIssuer(app: Pick<App, 'config'>, text: string): string | undefined {
  const url = parseUrl(text);
  const isSafe = url?.protocol === 'https:' || mayBePlain(app, text);
  if (url === undefined || !isSafe || /[?#]/.test(text) || url.username + url.password !== '') {
    return 'must be an https address without a query, as the provider writes it (http only on this machine, with sso.allow_private)';
  }
  if (url.pathname.includes('/.well-known/')) {
    return `must be only the issuer: the part before /.well-known/`;
  }
  if (isOfManyTenants(text)) return oneTenant;
  if (app.config.sso.allow_private || mayBePublic(url)) return undefined;
  return 'must be on the public internet, unless the operator sets sso.allow_private';
}
