import { z } from 'zod';
import { signInToWidget } from '../federation/sign-in-to-widget.js';
import { clientAddress } from '../platform/http/client-address.js';
import { operation, type Operation } from '../platform/http/operation.js';

export const widgetSignInOperations: Operation[] = [
  operation({
    method: 'post',
    path: '/widget/login',
    tag: 'Widget',
    summary:
      'Sign in by the form of the widget, with the account of a user of the app’s organization',
    access: 'widget',
    body: z.strictObject({
      email: z.string().min(1).max(320),
      password: z.string().min(1).max(1000),
      code: z
        .string()
        .min(1)
        .max(40)
        .optional()
        .describe(
          'A code of the authenticator app, or a recovery code, for accounts with a second factor.',
        ),
    }),
    replies: {
      200: z.object({
        token: z
          .string()
          .describe('A user token, which identifies this person only in the widget.'),
        expiresIn: z.number().describe('The token’s lifetime in seconds.'),
        displayName: z.string(),
      }),
    },
    refusals: [
      ...(['unauthenticated', 'rate_limited', 'password_sign_in_off'] as const),
      ...(['second_factor_required', 'second_factor_missing'] as const),
    ],
    async handle(app, { actor, body, ctx }) {
      const input = { ...body, apiKey: ctx.get('X-Widget-Key'), address: clientAddress(ctx) };
      return { body: await signInToWidget(app, actor, input) };
    },
  }),
];
