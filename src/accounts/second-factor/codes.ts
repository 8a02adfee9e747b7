import { randomInt } from 'node:crypto';
import type { App } from '../../platform/app.js';
import { hashSecret } from '../../platform/random-secret.js';

/** The step of a code, and how far an authenticator's clock may be off on either side, in seconds. */
const period = 30;
const toleranceSeconds = 30;
const recoveryCodes = 10;
/** Letters and digits that nobody takes for one another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const recoveryLength = 12;

/** The secret of an authenticator app, in base32: 160 bits, as RFC 4226 wants it. */
export async function newTotpSecret(): Promise<string> {
  const { generateSecret } = await import('otplib');
  return generateSecret({ length: 20 });
}

/** The address that authenticator apps read, mostly as a QR code. */
export async function otpauthUri(secret: string, email: string): Promise<string> {
  const { generateURI } = await import('otplib');
  return generateURI({ issuer: 'Assistant', label: email, secret, period });
}

/** The time step that a code is of, if it is one of now. */
export async function stepOf(
  { clock }: Pick<App, 'clock'>,
  secret: string,
  code: string,
): Promise<number | undefined> {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const { verify } = await import('otplib');
  const epoch = Math.floor(clock.now().getTime() / 1000);
  const result = await verify({ secret, token, period, epoch, epochTolerance: toleranceSeconds });
  return result.valid ? Math.floor(epoch / period) + result.delta : undefined;
}

/** Codes for the day when the authenticator is lost: 59 bits each, which need no slow hash. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodes }, () => {
    const letters = Array.from(
      { length: recoveryLength },
      () => alphabet[randomInt(alphabet.length)],
    );
    return letters.join('').replaceAll(/(.{4})(?=.)/g, '$1-');
  });
}

/** What is stored of a recovery code, however it is typed; undefined for what is none. */
export function recoveryHashOf(code: string): string | undefined {
  const letters = code.toLowerCase().replaceAll(/[\s-]/g, '');
  if (letters.length !== recoveryLength) return undefined;
  return hashSecret(letters);
}
