import { z } from 'zod';
import { emailText } from '../platform/email-text.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { issueUserToken } from './issue-user-token.js';
import { hostSession } from './user-tokens.js';

const oneLine = /^[^\p{Cc}\p{Cs}]*$/u;
const sentence = 'must be one line of text, without control characters';

export const widgetTokenOperations: Operation[] = [
  operation({
    method: 'post',
    path: '/widget/token',
    tag: 'Widget',
    summary: 'Issue a user token for a person whom your site has signed in; from your backend only',
    access: 'host_backend',
    body: z.strictObject({
      externalId: z
        .string()
        .min(1)
        .max(255)
        .regex(oneLine, sentence)
        .describe('Your own stable id of the person.'),
      email: emailText
        .nullable()
        .optional()
        .describe('Omitted: stays as it is known. Null: is forgotten.'),
      displayName: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .regex(oneLine, sentence)
        .nullable()
        .optional()
        .describe('As email.'),
      session: hostSession
        .optional()
        .describe(
          'What you call this sign-in of the person. An account is linked by the token only together with it.',
        ),
      expiresIn: z
        .int()
        .min(60)
        .max(86_400)
        .optional()
        .describe('Seconds; one hour when omitted, unless the installation is set otherwise.'),
    }),
    replies: {
      200: z.object({
        token: z.string().describe('For the widget: it speaks for this person.'),
        expiresIn: z.number().describe('Seconds that the token holds.'),
      }),
    },
    // Of what a browser sends, which names its origin.
    refusals: ['forbidden'],
    handle: async (app, { actor, body }) => ({ body: await issueUserToken(app, actor, body) }),
  }),
];
