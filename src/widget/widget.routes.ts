import { z } from 'zod';
import { conversationDoor, conversationParams } from '../conversations/conversation-door.routes.js';
import { conversationReply, presentConversation } from '../conversations/conversations.schema.js';
import { askedPage, pageContext } from '../conversations/store/page-context.js';
import { messageReply, presentReply } from '../conversations/answering/present-reply.js';
import { listConversations } from '../conversations/read-conversations.js';
import { sendMessage, startAnswer } from '../conversations/answering/running-answers.js';
import { answerEvents } from '../conversations/answering/watch-answer.js';
import { addressKey, clientAddress } from '../platform/http/client-address.js';
import { eventStream, type ServerEvent } from '../platform/http/event-stream.js';
import { goneSignal } from '../platform/http/request-end.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { listOf, listReply, pagingQuery } from '../platform/http/paging.js';
import { claimsOfCall } from './cors.js';
import { claimConversation } from './claim-conversation.js';
import { visitorTokenOf, visitorTokenReply } from './visitor-token.js';
import { signInToWidget } from '../federation/sign-in-to-widget.js';

const widgetReply = messageReply.extend({ visitorToken: visitorTokenReply });

export const widgetOperations: Operation[] = [
  operation({
    method: 'post',
    path: '/widget/message',
    tag: 'Widget',
    summary:
      'Ask a question from a page of an app; with Accept: text/event-stream, read the answer as it comes',
    access: 'widget',
    limit: 'message',
    body: z.strictObject({
      message: z.string().min(1).max(8000),
      context: pageContext,
      conversationId: z.string().min(1).max(100).optional(),
    }),
    replies: { 200: widgetReply },
    streams: true,
    refusals: ['not_found', 'model_unavailable', 'quota_exceeded', 'cancelled'],
    async handle(app, { actor, body, ctx }) {
      const { message, context, conversationId } = body;
      const asked = {
        message,
        conversationId,
        channel: 'widget' as const,
        page: askedPage(context),
        from: addressKey(clientAddress(ctx)),
        claimOn: claimsOfCall(app, ctx),
      };
      if (ctx.accepts(['application/json', 'text/event-stream']) === 'text/event-stream') {
        const [running, token] = await Promise.all([
          startAnswer(app, actor, asked),
          visitorTokenOf(app, actor),
        ]);
        return { ...eventStream(withWelcome(token, answerEvents(running.events()))) };
      }
      const [result, token] = await Promise.all([
        sendMessage(app, actor, { ...asked, signal: goneSignal(ctx) }),
        visitorTokenOf(app, actor),
      ]);
      return { body: { ...presentReply(result), ...token } };
    },
  }),
  operation({
    method: 'get',
    path: '/widget/conversations',
    tag: 'Widget',
    summary: 'The conversations of this end user or visitor, the latest first',
    access: 'widget',
    query: z.strictObject(pagingQuery),
    replies: { 200: listOf(conversationReply) },
    async handle(app, { actor, query }) {
      const paged = await listConversations(app, actor, query, 'widget');
      return listReply(paged, query, presentConversation);
    },
  }),
  operation({
    method: 'post',
    path: '/widget/conversations/:id/claim',
    tag: 'Widget',
    summary: 'Take a conversation along that this end user began as a visitor, before signing in',
    access: 'widget',
    params: conversationParams,
    body: z.strictObject({
      visitorToken: z.string().min(1).max(4096).describe('The token of that visitor.'),
    }),
    replies: { 204: undefined },
    async handle(app, { actor, params, body }) {
      await claimConversation(app, actor, { ...params, ...body });
      return { status: 204 };
    },
  }),
  ...conversationDoor({
    base: '/widget/conversations',
    access: 'widget',
    tag: 'Widget',
    over: 'widget',
    deletes: 'Delete a conversation of this end user or visitor, with all that was said in it',
  }),
];

/**
 * Puts the visitor's token before the steps of an answer, so that a visitor who loses the connection can return. Not a
 * generator: a reader who leaves must end the steps immediately, not with the next step.
 */
function withWelcome(
  token: { visitorToken?: string },
  steps: AsyncIterable<ServerEvent>,
): AsyncIterable<ServerEvent> {
  const welcome: ServerEvent[] = [{ event: 'welcome', data: token }];
  const rest = steps[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        const value = welcome.shift();
        return value === undefined ? rest.next() : Promise.resolve({ done: false, value });
      },
      return: async () => (await rest.return?.()) ?? { done: true, value: undefined },
    }),
  };
}

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
      'unauthenticated',
      'rate_limited',
      'password_sign_in_off',
      'second_factor_required',
      'second_factor_missing',
    ],
    async handle(app, { actor, body, ctx }) {
      const input = { ...body, apiKey: ctx.get('X-Widget-Key'), address: clientAddress(ctx) };
      return { body: await signInToWidget(app, actor, input) };
    },
  }),
];
