import type { Entry } from '../../knowledge/entry.js';
import { Differences } from '../layout/difference.js';
import { Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';

interface HistoryProps {
  entry: Entry;
  versions: Entry[];
  compared: Entry | undefined;
}

/** The earlier versions, newest first: each is compared with the present one by a link, and put back by a button. */
export function History({ entry, versions, compared }: HistoryProps) {
  const { say, at } = useShown();
  const words = say.knowledge;
  if (versions.length === 0) return null;
  return (
    <section>
      <h2>{words.history}</h2>
      <Table caption={words.history} columns={[say.labels.title, words.changed, '']}>
        {versions.map((old) => (
          <Row
            key={old.version}
            name={
              <a
                href={at(`/knowledge/${entry.uuid}?version=${old.version}#compared`)}
                lang={old.language}
                aria-current={old === compared ? 'true' : undefined}
              >
                {old.title}
              </a>
            }
            cells={[
              <Time iso={old.updatedAt} />,
              <Form action="restore">
                <input type="hidden" name="version" value={entry.version} />
                <button
                  class="quiet"
                  name="restored"
                  value={old.version}
                  aria-label={words.restoreOf(old.version)}
                >
                  {words.restore}
                </button>
              </Form>,
            ]}
          />
        ))}
      </Table>
      {compared === undefined ? null : <Compared entry={entry} old={compared} />}
    </section>
  );
}

function Compared({ entry, old }: { entry: Entry; old: Entry }) {
  const { say } = useShown();
  return (
    <section aria-labelledby="compared">
      <h2 id="compared">{say.knowledge.compared(old.version)}</h2>
      <p class="hint">
        <Time iso={old.updatedAt} />
      </p>
      <Differences
        lang={entry.language}
        texts={[
          [old.title, entry.title],
          [old.content, entry.content],
        ]}
      />
      <details class="more">
        <summary>{say.documents.reviewing.oldText}</summary>
        <p class="plain" lang={old.language}>
          {old.content}
        </p>
      </details>
    </section>
  );
}
