import { randomInt } from 'node:crypto';
import type { App } from '../../platform/app.js';
import { hashSecret } from '../../platform/random-secret.js';

/** The time step of codes, and the tolerated error of an authenticator's clock in each direction, in seconds. */
const period = 30;
const toleranceSeconds = 30;
const recoveryCodes = 10;
/** Letters and digits without look-alikes. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const recoveryLength = 12;

/** A new secret for an authenticator app, in base32: 160 bits, as RFC 4226 recommends. */
export async function newTotpSecret(): Promise<string> {
  const { generateSecret } = await import('otplib');
  return generateSecret({ length: 20 });
}

/** The address that authenticator apps read, usually from a QR code. */
export async function otpauthUri(secret: string, email: string): Promise<string> {
  const { generateURI } = await import('otplib');
  return generateURI({ issuer: 'Assistant', label: email, secret, period });
}

/** The time step of a code; undefined when the code is not valid now. */
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

/** Recovery codes for a lost authenticator. Each has 59 random bits, so no slow hash is needed. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodes }, () => {
    const letters = Array.from(
      { length: recoveryLength },
      () => alphabet[randomInt(alphabet.length)],
    );
    return letters.join('').replaceAll(/(.{4})(?=.)/g, '$1-');
  });
}

/** The stored hash of a recovery code, in any spelling; undefined for an invalid code. */
export function recoveryHashOf(code: string): string | undefined {
  const letters = code.toLowerCase().replaceAll(/[\s-]/g, '');
  if (letters.length !== recoveryLength) return undefined;
  return hashSecret(letters);
}
