import { roles, type Role } from '../../platform/actor.js';
import type { Option } from '../../platform/cli/command-group.js';
import { oneLine, oneOf } from '../../platform/cli/arguments.js';
import type { Consent } from '../../platform/cli/carry-out.js';
import { type Output } from '../../platform/cli/terminal.js';
import { printable } from '../../platform/text/printable.js';
import { AppError } from '../../platform/errors.js';
import type { ProviderChange, RoleOfValue } from '../providers/provider.js';

export interface ProviderOptions extends Consent {
  name?: string;
  issuer?: string;
  clientId?: string;
  clientSecretFile?: string;
  publicClient?: boolean;
  label?: string;
  scopes?: string[];
  allowedDomains?: string[];
  roleClaim?: string;
  mapRole?: RoleOfValue[];
  defaultRole?: Role | 'none';
  trustEmail?: boolean;
}

export const providerOptions: readonly Option[] = [
  ['--issuer <url>', 'its address, exactly as the provider writes it'],
  ['--client-id <id>', 'the id of this service at the provider', oneLine('--client-id', 300)],
  ['--client-secret-file <file>', 'a file with the client secret on one line'],
  ['--public-client', 'there is no client secret'],
  ['--label <text>', 'the text of the sign-in button (default: the name)', oneLine('--label')],
  ['--scopes <list>', 'separated by commas (default: openid,email,profile)', readList],
  ['--allowed-domains <list>', "of e-mail addresses, separated by commas; '' for all", readList],
  ['--role-claim <claim>', 'the claim with the roles, e.g. groups; none: roles are set here'],
  [
    '--map-role <value=role>',
    'the role of a value of the claim (repeatable)',
    (text: string, before: RoleOfValue[] = []) => [...before, readMapping(text)],
  ],
  [
    '--default-role <role>',
    `the role of everybody else: ${roles.join(', ')}, or none`,
    oneOf('--default-role', [...roles, 'none'] as const),
  ],
  ['--trust-email', 'treat its addresses as verified even if it does not say so'],
  ['--no-trust-email', 'accept only addresses that it calls verified'],
];

/** Reads the changes from the options. Errors: `usage` for options that exclude each other. */
export async function readProviderOptions(
  options: ProviderOptions,
  out: Pick<Output, 'note'>,
): Promise<ProviderChange> {
  const { roleClaim, mapRole, defaultRole, clientSecretFile, publicClient } = options;
  if (clientSecretFile !== undefined && publicClient === true) {
    throw new AppError('usage', 'A --public-client has no secret: leave one of the two out.');
  }
  const { readSecretFile } = await import('../../platform/cli/secret-file.js');
  const secret =
    clientSecretFile === undefined
      ? undefined
      : await readSecretFile(clientSecretFile, {
          option: '--client-secret-file',
          what: 'client secret',
          note: (text) => out.note(printable(text)),
        });
  const withoutClaim = roleClaim === 'none';
  return {
    clientSecret: publicClient === true ? null : secret,
    label: options.label,
    scopes: options.scopes,
    allowedDomains: options.allowedDomains,
    roleClaim: withoutClaim ? null : roleClaim,
    roleMapping: withoutClaim ? [] : mapRole,
    defaultRole: defaultRole === 'none' ? null : defaultRole,
    trustsEmail: options.trustEmail,
  };
}

function readList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The role follows the last `=`, because group names may contain others. */
function readMapping(text: string): RoleOfValue {
  const at = text.lastIndexOf('=');
  const value = text.slice(0, Math.max(0, at));
  if (value === '') throw new AppError('usage', '--map-role: expected value=role.');
  return { value, role: oneOf('--map-role', roles)(text.slice(at + 1)) };
}
