import { z } from 'zod';
import { explainEntries, type ExplainedEntries } from '../../answers/explain-entries.js';
import { visibilities, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { getRequest, type ShownRequest } from '../../requests/read-requests.js';
import { updateRequest } from '../../requests/update-request.js';
import { listDomainChoices } from '../../tenancy/app-choices.js';
import { domainText } from '../layout/domain-field.js';
import { action, page } from '../page.js';
import { Question } from './question-view.js';

/** As many as an operator looks at. */
const nearest = 5;

const text = z.string().max(100_000);
const optional = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .transform((given) => given || undefined)
    .optional();
const id = z.object({
  id: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 53 - 1),
});

export const questionPage = page({
  path: '/questions/:id',
  access: 'requests.resolve',
  params: id,
  async show(app, { actor, params }) {
    const request = await getRequest(app, actor, params.id);
    const found = await explain(app, actor, request);
    const hosts = await listDomainChoices(app, actor);
    return {
      title: request.question,
      section: '/questions',
      body: <Question request={request} found={found} hosts={hosts} />,
    };
  },
  actions: {
    answer: action({
      params: id,
      form: z.object({
        response: text,
        publish: z.literal('on').optional(),
        title: optional(500),
        domain: domainText.transform((host) => host || undefined).optional(),
        url_pattern: optional(1000),
        visibility: z.enum(visibilities).or(z.literal('').transform(() => undefined)),
      }),
      async act(app, { actor, params, form }) {
        const { response, publish, ...place } = form;
        const published = publish === 'on' ? { publish: true, ...place } : {};
        await updateRequest(app, actor, params.id, { status: 'resolved', response, ...published });
        return { to: `/questions/${params.id}`, done: publish === 'on' ? 'published' : 'answered' };
      },
    }),
    saveDraft: action({
      params: id,
      form: z.object({ response: text }),
      done: 'saved',
      async act(app, { actor, params, form }) {
        const { status } = await getRequest(app, actor, params.id);
        const taken = status === 'open' ? { status: 'in_progress' as const } : {};
        await updateRequest(app, actor, params.id, { ...taken, response: form.response });
      },
    }),
    move: action({
      params: id,
      form: z.object({ status: z.enum(['open', 'in_progress', 'dismissed']) }),
      done: 'saved',
      act: (app, { actor, params, form }) =>
        updateRequest(app, actor, params.id, { status: form.status }),
    }),
  },
});

/** The entries that the question finds on its page for the person who asked; undefined where that page is no longer ours. */
async function explain(
  app: App,
  actor: Actor,
  { question, url }: ShownRequest,
): Promise<ExplainedEntries | undefined> {
  const input = { text: question, page: 1, limit: nearest };
  try {
    return await explainEntries(app, actor, { ...input, ...(url === null ? {} : { url }) });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}
