import { z } from 'zod';

/** An e-mail address as far as its form tells: one line, with something on both sides of its @. */
export const emailText = z
  .string()
  .max(320)
  .regex(/^[^\s@\p{Cc}\p{Cs}]{1,64}@[^\s@\p{Cc}\p{Cs}]{1,255}$/u, 'must be an e-mail address');
