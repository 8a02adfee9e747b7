import { z } from 'zod';
import { ratings } from '../conversations/store/conversation.js';
import { rateMessage, unrateMessage } from '../conversations/rate-message.js';
import type { Notification } from '../notifications/notification.js';
import { listNotifications, readNotification } from '../notifications/read-notifications.js';
import { emailText } from '../platform/validate.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { flagText, listOf, listReply, numberOf, pagingQuery } from '../platform/http/paging.js';
import { presenter } from '../platform/wire-names.js';
import { fileRequest } from '../requests/file-request.js';
import { getRequest, listRequests } from '../requests/read-requests.js';
import { requestStatuses } from '../requests/request.js';
import { visitorTokenOf, visitorTokenReply } from './visitor-token.js';

const conversationId = z.string().min(1).max(100);

const widgetRequest = z
  .object({
    id: z.number(),
    status: z.enum(requestStatuses),
    question: z.string().describe('As it was stored: without personal data.'),
    url: z.string().nullable().describe('The page that it is about, if one was named.'),
    response: z.string().nullable().describe('The answer, once it is resolved.'),
    created_at: z.string(),
    resolved_at: z.string().nullable().describe('Null until it is resolved.'),
  })
  .meta({ id: 'WidgetRequest' });

const handedOver = widgetRequest.extend({ visitorToken: visitorTokenReply });

const widgetNotification = z
  .object({
    id: z.number(),
    question: z.string(),
    response: z.string(),
    url: z.string().nullable().describe('The page that the question was about.'),
    conversation_id: z
      .string()
      .nullable()
      .describe('The conversation that it came from: the answer belongs there.'),
    created_at: z.string(),
    read_at: z.string().nullable().describe('Null while it is unread.'),
  })
  .meta({ id: 'WidgetNotification' });

/** Requests, ratings and notifications of widget people. */
export const widgetRequestOperations: Operation[] = [
  operation({
    method: 'post',
    path: '/widget/requests',
    tag: 'Widget',
    summary:
      'Hand a question to the people behind the app, who answer it later; one that still waits is answered with 200',
    access: 'widget',
    limit: 'request',
    body: z.strictObject({
      question: z.string().min(1).max(8000),
      url: z.string().min(1).max(4096).optional().describe('The page that it is about.'),
      conversationId: conversationId
        .optional()
        .describe('A conversation of one’s own, in which it was not answered.'),
      email: emailText.optional().describe('The address for the answer. Only staff see it.'),
    }),
    replies: { 200: handedOver, 201: handedOver },
    refusals: ['not_found'],
    async handle(app, { actor, body }) {
      const filed = await fileRequest(app, actor, body, 'widget');
      const token = await visitorTokenOf(app, actor);
      const headers = { Location: `/widget/requests/${filed.id}` };
      const status = filed.duplicate ? 200 : 201;
      return { status, body: { ...presentOwn(filed), ...token }, headers };
    },
  }),
  operation({
    method: 'get',
    path: '/widget/requests',
    tag: 'Widget',
    summary: 'The questions that this end user or visitor has passed to people, newest first',
    access: 'widget',
    query: z.strictObject({
      ...pagingQuery,
      conversationId: conversationId.optional().describe('Of what was asked there alone.'),
    }),
    replies: { 200: listOf(widgetRequest) },
    async handle(app, { actor, query }) {
      return listReply(await listRequests(app, actor, query, 'widget'), query, presentOwn);
    },
  }),
  operation({
    method: 'get',
    path: '/widget/requests/:id',
    tag: 'Widget',
    summary: 'The state of a question that this end user or visitor has passed to people',
    access: 'widget',
    params: numberOf('request'),
    replies: { 200: widgetRequest },
    async handle(app, { actor, params }) {
      return { body: presentOwn(await getRequest(app, actor, params.id, 'widget')) };
    },
  }),
  operation({
    method: 'post',
    path: '/widget/feedback',
    tag: 'Widget',
    summary: 'Rate an answer that you received, or remove the rating',
    access: 'widget',
    body: z.strictObject({
      conversationId,
      messageId: z.int().min(1).describe('The number of the answer.'),
      rating: z.enum(ratings).nullable().describe('Null removes an earlier rating.'),
      comment: z.string().max(2000).optional().describe('Omitted: an earlier one is removed.'),
    }),
    replies: { 200: z.object({ rating: z.enum(ratings).nullable() }) },
    refusals: ['not_found', 'unprocessable'],
    async handle(app, { actor, body }) {
      const { rating, ...input } = body;
      if (rating === null) await unrateMessage(app, actor, input, 'widget');
      else await rateMessage(app, actor, { ...input, rating }, 'widget');
      return { body: { rating } };
    },
  }),
  operation({
    method: 'get',
    path: '/widget/notifications',
    tag: 'Widget',
    summary: 'The answers of people to this end user’s or visitor’s questions, newest first',
    access: 'widget',
    query: z.strictObject({
      ...pagingQuery,
      unread: flagText
        .optional()
        .describe('true: those that were not read yet; false: the others.'),
      conversationId: conversationId.optional().describe('Of what was asked there alone.'),
    }),
    replies: { 200: listOf(widgetNotification) },
    async handle(app, { actor, query }) {
      const found = await listNotifications(app, actor, query, 'widget');
      return listReply(found, query, presentItem);
    },
  }),
  operation({
    method: 'post',
    path: '/widget/notifications/:id/read',
    tag: 'Widget',
    summary: 'Mark a notification of one’s own as read',
    access: 'widget',
    params: numberOf('notification'),
    replies: { 200: widgetNotification },
    async handle(app, { actor, params }) {
      const read = await readNotification(app, actor, params.id, 'widget');
      return { body: presentItem(read) };
    },
  }),
];

const present = presenter(widgetNotification);

function presentItem(item: Notification): z.output<typeof widgetNotification> {
  return present({ ...item.payload, ...item });
}

const presentOwn = presenter(widgetRequest);
