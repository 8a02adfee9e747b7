import type { CitingAnswer } from '../../conversations/store/conversation.js';
import type { Entry } from '../../knowledge/entry.js';
import type { Paged } from '../../platform/db/select-page.js';
import { Badge } from '../layout/badge.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';

/** The answers that the page of an entry shows. */
export const latestCiting = 5;
/** The most characters of a question in a table. */
const shownOfQuestion = 200;

interface CitingProps {
  entry: Entry;
  citing: Paged<CitingAnswer>;
}

/** The latest answers that cite an entry, and how many there are. */
export function CitingSection({ entry, citing }: CitingProps) {
  const { say, format, at } = useShown();
  const words = say.answers;
  return (
    <>
      <h2 id="answers">{words.citing}</h2>
      {citing.total === 0 ? (
        <p class="hint">{words.citingNone}</p>
      ) : (
        <>
          <CitingTable caption={words.citingLatest} answers={citing.items} />
          <p class="hint">
            {words.citingCount(format.number(citing.total))}
            {citing.total > citing.items.length ? (
              <>
                {' · '}
                <a href={at(`/knowledge/${entry.uuid}/answers`)}>{words.citingAll}</a>
              </>
            ) : null}
          </p>
        </>
      )}
    </>
  );
}

/** Answers by their questions, each a link to its place in the conversation. */
export function CitingTable({ caption, answers }: { caption: string; answers: CitingAnswer[] }) {
  const { say, at } = useShown();
  const { question, noQuestion, answered } = say.answers;
  const { channel, channels } = say.conversations;
  return (
    <Table caption={caption} columns={[question, channel, answered]}>
      {answers.map((answer) => (
        <Row
          key={answer.id}
          name={
            <>
              <a
                href={at(
                  `/conversations/${answer.conversationId}?message=${answer.id}#message-${answer.id}`,
                )}
                lang={answer.language}
              >
                {answer.question?.slice(0, shownOfQuestion) ?? noQuestion}
              </a>{' '}
              <Opinion answer={answer} />
            </>
          }
          cells={[channels[answer.channel], <Time iso={answer.createdAt} />]}
        />
      ))}
    </Table>
  );
}

function Opinion({ answer: { rating, status } }: { answer: CitingAnswer }) {
  const { ratings, incomplete } = useShown().say.conversations;
  return (
    <>
      {status === 'incomplete' ? <Badge tone="bad" text={incomplete} /> : null}
      {rating === null ? null : (
        <Badge tone={rating === 'up' ? 'good' : 'bad'} text={ratings[rating]} />
      )}
    </>
  );
}
