import type { Command } from 'commander';
import { roles, type Role } from '../../platform/actor.js';
import { oneLine, oneOf } from '../../platform/cli/arguments.js';
import type { Consent } from '../../platform/cli/carry-out.js';
import { printable, type Output } from '../../platform/cli/terminal.js';
import { AppError } from '../../platform/errors.js';
import type { ProviderChange, RoleOfValue } from './provider.js';

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

/** Adds the options that say what a provider is. */
export function withProviderOptions(command: Command): Command {
  const gather = (text: string, before: RoleOfValue[] = []) => [...before, readMapping(text)];
  return command
    .option('--issuer <url>', 'its address, as it writes it itself')
    .option('--client-id <id>', 'what this service is called there', oneLine('--client-id', 300))
    .option('--client-secret-file <file>', 'holds the client secret, as a line')
    .option('--public-client', 'there is no client secret')
    .option('--label <text>', 'what a button says (else the name)', oneLine('--label'))
    .option('--scopes <list>', 'by commas (else openid,email,profile)', readList)
    .option('--allowed-domains <list>', "of e-mail addresses, by commas; '' for all", readList)
    .option('--role-claim <claim>', 'where roles come from, e.g. groups; none: from here')
    .option('--map-role <value=role>', 'the role of a value of the claim, repeatable', gather)
    .option(
      '--default-role <role>',
      `of all others: ${roles.join(', ')}, or none`,
      oneOf('--default-role', [...roles, 'none'] as const),
    )
    .option('--trust-email', 'its addresses count as verified though it does not say so')
    .option('--no-trust-email', 'only addresses that it says are verified');
}

/** What the options say is to change. Refuses with `usage` two that exclude each other. */
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
          ...{ option: '--client-secret-file', what: 'client secret' },
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

/** The role stands behind the last `=`: names of groups may hold others. */
function readMapping(text: string): RoleOfValue {
  const at = text.lastIndexOf('=');
  const value = text.slice(0, Math.max(0, at));
  if (value === '') throw new AppError('usage', '--map-role: expected value=role.');
  return { value, role: oneOf('--map-role', roles)(text.slice(at + 1)) };
}
