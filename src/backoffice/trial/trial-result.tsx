import type { Answer, Waiting } from '../../answers/answer.js';
import type { TriedQuestion } from '../../conversations/answering/try-question.js';
import type { SourcePlace } from '../../ingestion/review/find-source-places.js';
import type { AppError } from '../../platform/errors.js';
import { parseUrl } from '../../platform/text/parse-url.js';
import { Badge } from '../layout/badge.js';
import { Markdown } from '../layout/markdown.js';
import { Refusal } from '../layout/refusal.js';
import { queryText } from '../layout/pager.js';
import { SourceLink } from '../layout/source-link.js';
import { useShown } from '../layout/shown.js';
import { TriedPassages, TriedWords } from './trial-reasons.js';

/** Why no word has come yet. The next part of the page takes its place. */
export function Wait({ event }: { event: Waiting }) {
  const { say, format } = useShown();
  const { position } = event;
  return (
    <p class="hint">
      {event.for === 'queue' && position !== undefined
        ? say.trial.waitsInQueue(format.number(position))
        : say.trial.waitsForModel}
    </p>
  );
}

/** Why there is no answer. */
export function TrialFailed({ error }: { error: AppError }) {
  const { say } = useShown();
  return (
    <div class="fault result" role="alert">
      <p>
        <strong>{say.trial.failed}</strong> <Refusal of={error} />
      </p>
    </div>
  );
}

interface TrialResultProps {
  tried: TriedQuestion;
  asked: { question: string; url: string };
  /** Where the sources of the answer stand in their files. */
  places: ReadonlyMap<string, SourcePlace>;
}

/** The answer as a visitor sees it, and what it was made from. */
export function TrialResult({ tried, asked, places }: TrialResultProps) {
  const { answer, terms, passages } = tried;
  return (
    <div class="result">
      <div class="beside">
        <TriedAnswer answer={answer} asked={asked} places={places} />
        <TriedWords terms={terms} />
      </div>
      <TriedPassages passages={passages} sources={answer.sources} />
    </div>
  );
}

function TriedAnswer({
  answer,
  asked,
  places,
}: { answer: Answer } & Pick<TrialResultProps, 'asked' | 'places'>) {
  const { say, at, format } = useShown();
  const words = say.trial;
  const { text, language, mode, found, complete, unsupported, quotedBecause, units } = answer;
  const how = mode === 'ollama' ? words.byModel : words.quoted;
  return (
    <div>
      <p class="hint">
        {found === null ? words.courtesy : found ? how : null}{' '}
        {found === false ? <Badge tone="warning" text={say.labels.notFound} /> : null}{' '}
        {complete ? null : <Badge tone="bad" text={words.incomplete} />}{' '}
        {words.units(format.number(units))}
      </p>
      <div class="card">
        <Markdown text={text} language={language} />
      </div>
      {quotedBecause === undefined ? null : (
        <p class="hint">
          {words.whyQuoted} <span lang="en">{quotedBecause}</span>
        </p>
      )}
      {unsupported.length === 0 ? null : (
        <>
          <p class="hint">{words.unsupported}</p>
          <ul lang={language}>
            {unsupported.map(({ from, to }) => (
              <li key={from}>
                <mark>{text.slice(from, to)}</mark>
              </li>
            ))}
          </ul>
        </>
      )}
      <TriedSources sources={answer.sources} found={found} places={places} />
      <p class="buttons">
        <a class="button" href={at(`/knowledge/new?${entryQuery(asked)}`)}>
          {words.writeEntry}
        </a>
      </p>
    </div>
  );
}

/** Fills in the form of a new entry: the question, and the domain of its page. */
function entryQuery({ question, url }: TrialResultProps['asked']): string {
  return queryText({ title: question.slice(0, 500), domain: parseUrl(url)?.hostname });
}

function TriedSources({
  sources,
  found,
  places,
}: Pick<Answer, 'sources' | 'found'> & Pick<TrialResultProps, 'places'>) {
  const { say, at } = useShown();
  const words = say.trial;
  if (found !== true) return null;
  if (sources.length === 0) return <p class="hint">{words.noSources}</p>;
  return (
    <>
      <h3>{words.sources}</h3>
      <ol>
        {sources.map(({ number, entryUuid, title }) => (
          <li key={number} value={number}>
            <a href={at(`/knowledge/${entryUuid}`)}>{title}</a>
            <SourceLink place={places.get(entryUuid)} />
          </li>
        ))}
      </ol>
    </>
  );
}
