import { spokenLanguages } from '../../language/language-pack.js';
import { visibilities } from '../../platform/actor.js';
import { Coming } from '../layout/coming.js';
import { Choice, Field, Form, TextArea } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import type { AskedAgain, Explained } from './explain-entry.js';
import { WhyNot } from './why-not.js';

interface TrialViewProps {
  asked: AskedAgain;
  entry: string;
  explained: Explained | undefined;
  /** True when the answer follows. */
  isAsked?: boolean;
}

/** The form of a question, then its answer with the reasons, then why an entry is not in it. */
export function TrialView({ asked, entry, explained, isAsked = false }: TrialViewProps) {
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
        {...{ of, name: 'question', label: say.labels.question, value: question, rows: 2 }}
        required
      />
      <Field {...{ of, name: 'url', label: words.url, hint: words.urlHint, value: url }} />
      <div class="pair">
        <Choice
          {...{ of, name: 'tier', label: words.as, value: tier }}
          options={visibilities.map((one) => [one, words.tiers[one]] as const)}
        />
        <Choice
          {...{ of, name: 'language', label: say.labels.language, value: language }}
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
