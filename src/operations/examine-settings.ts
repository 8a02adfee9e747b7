import { findKeyFault, holdsSecrets } from '../accounts/users/stored-secrets.js';
import { tryMailServer } from '../notifications/send-mail.js';
import type { WithDb } from '../platform/app.js';
import type { Config } from '../platform/config/schema.js';
import { createSecretBox } from '../platform/config/secret-box.js';
import { messageOf } from '../platform/errors.js';
import type { Check } from './doctor.schema.js';

const name = 'mail';

/** The time limit for a mail server here, in milliseconds: this is a check, not a message. */
const patienceMs = 5000;

/** Checks that the mail server accepts the sign-in; sends nothing. Empty without a mail server. */
export async function examineMail(config: Config): Promise<Check[]> {
  const { host, port, security } = config.mail;
  if (host === '') return [];
  const place = `${host}:${port} (${security})`;
  try {
    const timeout = Math.min(config.mail.timeout_ms, patienceMs);
    await tryMailServer({ ...config.mail, timeout_ms: timeout });
    return [
      { name, status: 'ok', code: 'mail_answers', values: { place }, finding: `${place} answers` },
    ];
  } catch (error) {
    const finding = `${place}: ${messageOf(error)}`;
    const [code, remedy] = remedyFor(error);
    return [{ name, status: 'failed', code, values: { place }, finding, remedy }];
  }
}

/** The name of the finding and its remedy, by nodemailer's error codes. */
function remedyFor(error: unknown): [code: string, remedy: string] {
  const { code } = error as { code?: string };
  switch (code) {
    case 'EAUTH':
      return ['mail_password', 'Correct mail.user and the password (ASSISTANT_MAIL_PASSWORD).'];
    case 'EDNS':
      return ['mail_host', 'Correct mail.host: there is no such host.'];
    case 'ETLS':
      return [
        'mail_security',
        'Set mail.security to what the server speaks: starttls (587), tls (465) or none.',
      ];
    default:
      return [
        'mail_silent',
        'Correct mail.host, mail.port and mail.security (587 starttls, 465 tls, 25 none), or start the server. Leave mail.host empty for no mail.',
      ];
  }
}

/** Checks that the key for secrets decrypts the stored ones and is private. Empty without stored secrets. */
export async function examineSecrets(config: Config, { db }: WithDb): Promise<Check[]> {
  if (!(await holdsSecrets({ db }))) return [];
  const name = 'key for secrets';
  const warnings: string[] = [];
  const secrets = createSecretBox(config, {
    isInUse: () => Promise.resolve(true),
    log: { warn: (text: string) => void warnings.push(text) },
  });
  const fault = await findKeyFault({ db, secrets });
  if (fault !== undefined) {
    const remedy =
      'Put the right key back, or set client secrets again (assistant sso edit) and reset second factors (assistant users reset-two-factor).';
    return [{ name, status: 'failed', code: 'key_wrong', finding: fault, remedy }];
  }
  const values = { file: `${config.database.path}.key` };
  if (config.database.url !== null && config.auth.secrets_key === null) {
    const remedy = `Give all servers the text of ${values.file} as auth.secrets_key (ASSISTANT_AUTH_SECRETS_KEY).`;
    const finding = 'only this machine has it, and the database serves others too';
    return [{ name, status: 'warning', code: 'key_of_one_machine', values, finding, remedy }];
  }
  const [warning] = warnings;
  if (warning === undefined) {
    return [{ name, status: 'ok', code: 'key_fits', finding: 'fits what is stored' }];
  }
  const remedy = `Keep it to its owner: chmod 600 ${values.file}`;
  const said = { code: 'key_open', values, finding: 'others can read it', remedy };
  return [{ name, status: 'warning', ...said }];
}
