import { z } from 'zod';

/**
 * The form of an e-mail address: one line, with text on both sides of its @. Angle brackets are not allowed: mail
 * servers remove them, and then nobody finds what is stored under the address.
 */
export const emailForm = /^[^\s@<>\p{Cc}\p{Cs}]{1,64}@[^\s@<>\p{Cc}\p{Cs}]{1,255}$/u;

export const emailText = z.string().max(320).regex(emailForm, 'must be an e-mail address');
