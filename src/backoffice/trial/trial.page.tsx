import type { ComponentChildren } from 'preact';
import { z } from 'zod';
import { tryQuestion, type Trial } from '../../conversations/answering/try-question.js';
import { findSourcePlaces } from '../../ingestion/review/find-source-places.js';
import { spokenLanguages } from '../../language/language-pack.js';
import { visibilities, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { goneSignal } from '../../platform/http/request-end.js';
import { refusalOf } from '../../platform/http/problems.js';
import { choiceOf } from '../layout/filters.js';
import { action, page } from '../page.js';
import { explainEntry, type AskedAgain, type Explained } from './explain-entry.js';
import { TrialFailed, TrialResult, Wait } from './trial-result.js';
import { Coming } from '../layout/coming.js';
import { Choice, Field, Form, TextArea } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { WhyNot } from './why-not.js';

const text = (most: number) => z.string().trim().max(most);
const language = choiceOf(spokenLanguages);

export const trialPage = page({
  path: '/try',
  access: 'knowledge.write',
  query: z.object({
    question: text(8000).catch('').default(''),
    url: text(2000).catch('').default(''),
    tier: z.enum(visibilities).catch('public').default('public'),
    language,
    entry: text(200).catch('').default(''),
  }),
  async show(app, { actor, query, say, fault }) {
    const { entry, ...asked } = query;
    const explained =
      asked.question === '' || entry === '' || fault !== undefined
        ? undefined
        : await explainEntry(app, actor, query);
    const { title } = say.trial;
    return { title, body: <TrialView asked={asked} entry={entry} explained={explained} /> };
  },
  actions: {
    ask: action({
      form: z.object({
        question: text(8000).min(1),
        url: text(2000),
        tier: z.enum(visibilities),
        language,
      }),
      async act(app, { actor, form, say, ctx }) {
        const { question, url, tier, language } = form;
        const input = {
          question,
          tier,
          url: url || undefined,
          language: language || undefined,
        };
        const trial = await tryQuestion(app, actor, input, goneSignal(ctx, app.stopping));
        const { title } = say.trial;
        return {
          title,
          body: <TrialView asked={form} entry="" explained={undefined} isAsked />,
          coming: partsOf(app, actor, trial, form),
        };
      },
    }),
  },
});

/** The answer as it comes, and then the answer with its reasons. */
async function* partsOf(
  app: App,
  actor: Actor,
  trial: Trial,
  asked: { question: string; url: string },
): AsyncGenerator<ComponentChildren, void, undefined> {
  for await (const event of trial.events()) {
    yield event.type === 'delta' ? <span>{event.text}</span> : <Wait event={event} />;
  }
  try {
    const tried = await trial.result;
    const cited = tried.answer.sources.map(({ entryUuid }) => entryUuid);
    const places = await findSourcePlaces(app, actor, cited);
    yield <TrialResult tried={tried} asked={asked} places={places} />;
  } catch (error) {
    const refused = refusalOf(error);
    if (refused.code === 'internal') app.log.error({ err: error }, 'a question was not tried');
    yield <TrialFailed error={refused} />;
  }
}

interface TrialViewProps {
  asked: AskedAgain;
  entry: string;
  explained: Explained | undefined;
  /** True when the answer follows. */
  isAsked?: boolean;
}

/** The form of a question, then its answer with the reasons, then why an entry is not in it. */
function TrialView({ asked, entry, explained, isAsked = false }: TrialViewProps) {
  const { say } = useShown();
  const words = say.trial;
  return (
    <>
      <h1>{words.title}</h1>
      <p class="hint">{words.about}</p>
      <TrialForm asked={asked} />
      {isAsked ? (
        <section class="tried" aria-label={say.labels.answer}>
          <h2>{say.labels.answer}</h2>
          <div class="coming">
            <Coming />
          </div>
        </section>
      ) : null}
      {isAsked || explained !== undefined || asked.question !== '' ? (
        <WhyNot asked={asked} entry={entry} explained={explained} />
      ) : null}
    </>
  );
}

function TrialForm({ asked: { question, url, tier, language } }: { asked: AskedAgain }) {
  const { say } = useShown();
  const words = say.trial;
  const of = 'ask';
  return (
    <Form action={of}>
      <TextArea
        of={of}
        name="question"
        label={say.labels.question}
        value={question}
        rows={2}
        required
      />
      <Field of={of} name="url" label={words.url} hint={words.urlHint} value={url} />
      <div class="pair">
        <Choice
          of={of}
          name="tier"
          label={words.as}
          value={tier}
          options={visibilities.map((one) => [one, words.tiers[one]] as const)}
        />
        <Choice
          of={of}
          name="language"
          label={say.labels.language}
          value={language}
          options={[
            ['', words.byWords],
            ...spokenLanguages.map((one) => [one, say.languages[one]] as const),
          ]}
        />
      </div>
      <p class="buttons">
        <button class="main">{words.ask}</button>
      </p>
    </Form>
  );
}
