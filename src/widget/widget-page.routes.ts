import { z } from 'zod';
import { pageQuery, pageReply, presentPage } from '../knowledge/page.schema.js';
import { queryPage } from '../knowledge/query-page.js';
import { operation, type Operation } from '../platform/http/operation.js';
import { readWidgetConfig } from './read-config.js';
import { messageLength } from './read-frame.js';
import { messagesAtOnce } from './socket-answers.js';
import { visitorTokenOf, visitorTokenReply } from './visitor-token.js';

/** The most entries in a widget's page query. */
const mostEntries = 10;

const widgetPageReply = pageReply.omit({ content: true }).extend({
  contents: z
    .array(pageReply.shape.contents.element.omit({ content: true }).meta({ id: 'PageTitle' }))
    .describe('The best entries of the page, best first, at most 10, without their texts.'),
});

/** The widget's requests before its first question. */
export const widgetPageOperations: Operation[] = [
  operation({
    method: 'get',
    path: '/widget/config',
    tag: 'Widget',
    summary: 'The app, who uses its widget, and what waits for them',
    access: 'widget',
    replies: {
      200: z.object({
        app: z.object({ id: z.number(), name: z.string() }),
        organization: z
          .object({ name: z.string() })
          .describe('The title of the panel if the page gives none.'),
        identity: z.object({
          kind: z
            .enum(['visitor', 'end_user'])
            .describe('An unidentified browser, or a person with a user token.'),
          displayName: z.string().nullable().describe('Null when unknown.'),
          hasEmail: z.boolean().describe('True: an e-mail address of the person is known.'),
        }),
        visitorToken: visitorTokenReply,
        limits: z.object({
          messageLength: z.number().describe('Characters of a question at most.'),
          messagesAtOnce: z.number().describe('The most answers at a time.'),
        }),
        sendsMail: z
          .boolean()
          .describe('True: a mail server is set up, so that answers can be sent by e-mail.'),
        unread: z.number().describe('Notifications that were not read yet.'),
      }),
    },
    async handle(app, { actor }) {
      const facts = await readWidgetConfig(app, actor);
      const token = await visitorTokenOf(app, actor);
      return { body: { ...facts, ...token, limits: { messageLength, messagesAtOnce } } };
    },
  }),
  operation({
    method: 'get',
    path: '/widget/page',
    tag: 'Widget',
    summary: 'The titles of the knowledge about a page that its reader may see',
    access: 'widget',
    query: z.strictObject(pageQuery),
    replies: { 200: widgetPageReply },
    async handle(app, { actor, query }) {
      const page = presentPage(await queryPage(app, actor, query));
      return { body: { ...page, contents: page.contents.slice(0, mostEntries) } };
    },
  }),
];
