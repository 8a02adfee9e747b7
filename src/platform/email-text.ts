import { z } from 'zod';

/**
 * An e-mail address as far as its form tells: one line, with something on both sides of its @. Not in angle brackets,
 * which mail servers leave out: nobody would find what is stored under the address.
 */
export const emailForm = /^[^\s@<>\p{Cc}\p{Cs}]{1,64}@[^\s@<>\p{Cc}\p{Cs}]{1,255}$/u;

export const emailText = z.string().max(320).regex(emailForm, 'must be an e-mail address');
