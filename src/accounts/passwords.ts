/** OWASP's parameters for argon2id (the library's default variant): 19 MiB, two passes, one lane. About 7 ms. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** An argon2id hash in PHC form. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  return hash(password.normalize('NFKC'), parameters);
}

/**
 * Whether the password is the one that was hashed. Where there is no hash, as much work is done against one
 * that nothing matches, so that the time does not tell which accounts exist.
 */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const { verify } = await import('@node-rs/argon2');
  decoy ??= hashPassword('no password at all');
  const matches = await verify(passwordHash ?? (await decoy), password.normalize('NFKC'));
  return matches && passwordHash != null;
}

let decoy: Promise<string> | undefined;
