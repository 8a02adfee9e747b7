import type { Source } from '../../answers/answer.js';
import type { TriedPassage, TriedQuestion } from '../../conversations/answering/try-question.js';
import { Badge } from '../layout/badge.js';
import { Markdown } from '../layout/markdown.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';

/** The words of the question, the weightiest first. */
export function TriedWords({ terms }: Pick<TriedQuestion, 'terms'>) {
  const { say, format } = useShown();
  const words = say.trial;
  const most = Math.max(1, ...terms.map(({ weight }) => weight));
  const sorted = [...terms].sort((a, b) => b.weight - a.weight);
  return (
    <div>
      <h3>{words.words}</h3>
      {terms.length === 0 ? (
        <p class="hint">{words.noWords}</p>
      ) : (
        <Table caption={words.words} columns={[words.word, words.weight, words.inKnowledge]}>
          {sorted.map(({ text, weight, known, guesses = [] }, index) => (
            <Row
              key={index}
              name={text}
              cells={[
                <Share value={weight / most} text={format.decimal(weight)} label={text} />,
                known ? (
                  words.known
                ) : (
                  <>
                    <Badge tone="warning" text={words.unknown} />{' '}
                    {guesses.length === 0 ? null : words.guesses(guesses.join(', '))}
                  </>
                ),
              ]}
            />
          ))}
        </Table>
      )}
    </div>
  );
}

/** A share as a bar, with its number. */
function Share({ value, text, label }: { value: number; text: string; label: string }) {
  return (
    <span class="share">
      <meter value={value} min={0} max={1} aria-label={label} /> {text}
    </span>
  );
}

interface TriedPassagesProps {
  passages: TriedPassage[];
  sources: Source[];
}

/** The passages for the answer: how likely each one holds it, how likely it had to be, and its rank. */
export function TriedPassages({ passages, sources }: TriedPassagesProps) {
  const { say, format } = useShown();
  const words = say.trial;
  const cited = new Set(sources.map(({ entryUuid }) => entryUuid));
  return (
    <>
      <h3>{words.passages}</h3>
      <p class="hint">{words.passagesHint}</p>
      {passages.length === 0 ? (
        <p class="nothing">{words.noPassages}</p>
      ) : (
        <Table
          caption={words.passages}
          columns={[words.entry, words.use, words.likelihood, words.needed]}
        >
          {passages.map((tried) => (
            <Row
              key={tried.passage.id}
              name={<PassageName tried={tried} />}
              cells={[
                <Use tried={tried} isCited={cited.has(tried.entry.uuid)} />,
                <Share
                  value={tried.likelihood}
                  text={format.share(tried.likelihood)}
                  label={words.likelihood}
                />,
                format.share(tried.needed),
              ]}
            />
          ))}
        </Table>
      )}
    </>
  );
}

function Use({ tried, isCited }: { tried: TriedPassage; isCited: boolean }) {
  const { say } = useShown();
  const words = say.trial;
  if (tried.isRead) {
    return <Badge tone="good" text={isCited ? words.cited : words.read} />;
  }
  return <Badge text={tried.evident ? words.notRead : words.noEvidence} />;
}

const partNames = [
  'words',
  'grams',
  'sentence',
  'phrase',
  'window',
  'siblings',
  'language',
  'place',
  'vector',
  'trust',
] as const;

function PassageName({ tried: { entry, passage } }: { tried: TriedPassage }) {
  const { say, at, format } = useShown();
  const words = say.trial;
  const { parts, score } = passage;
  const shown = partNames.flatMap((name) => {
    const value = parts[name];
    return value === null ? [] : [[name, value] as const];
  });
  return (
    <>
      <a href={at(`/knowledge/${entry.uuid}`)} lang={entry.language}>
        {passage.title}
      </a>
      <details class="more">
        <summary>{words.text}</summary>
        <blockquote>
          <Markdown text={passage.body} language={entry.language} level={4} />
        </blockquote>
        <dl class="facts" aria-label={words.score}>
          {[...shown, ['score', score] as const].map(([name, value]) => (
            <>
              <dt>{words.parts[name]}</dt>
              <dd>{format.decimal(value)}</dd>
            </>
          ))}
        </dl>
      </details>
    </>
  );
}
