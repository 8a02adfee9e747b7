import type { Paged } from '../../platform/db/select-page.js';
import type { SourceWithRun } from '../../sources/sources.schema.js';
import { Badge, type Tone } from '../layout/badge.js';
import { Field, Form } from '../layout/form.js';
import { Pager } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { IntervalChoice, PolicyChoice } from './source-form.js';

export function Sources({ page, listed }: { page: number; listed: Paged<SourceWithRun> }) {
  const { say, at } = useShown();
  const words = say.sources;
  const of = 'create';
  const columns = [
    say.labels.name,
    say.labels.state,
    words.lastRun,
    words.nextRun,
    say.labels.address,
  ];
  return (
    <>
      <h1>{words.title}</h1>
      <p class="hint">{words.about}</p>
      {listed.items.length === 0 ? (
        <p class="nothing">{words.none}</p>
      ) : (
        <Table caption={words.title} columns={columns}>
          {listed.items.map((source) => (
            <Row
              key={source.id}
              name={<a href={at(`/sources/${source.id}`)}>{source.name}</a>}
              cells={[
                <StateBadge source={source} />,
                source.lastRun === null ? null : <Time iso={source.lastRun.createdAt} />,
                source.nextRunAt === null ? null : <Time iso={source.nextRunAt} />,
                source.place,
              ]}
            />
          ))}
        </Table>
      )}
      <Pager page={page} total={listed.total} query={{}} />
      <section>
        <h2>{words.add}</h2>
        <Form action={of}>
          <Field of={of} name="name" label={say.labels.name} hint={words.nameHint} required />
          <Field
            of={of}
            name="address"
            label={say.labels.address}
            hint={words.addressHint}
            required
          />
          <PolicyChoice of={of} value="review" />
          <IntervalChoice of={of} value={null} />
          <button class="main">{words.add}</button>
        </Form>
      </section>
    </>
  );
}

const tones: Record<string, Tone> = {
  running: 'plain',
  waiting: 'plain',
  completed: 'good',
  failed: 'bad',
};

export function StateBadge({ source }: { source: SourceWithRun }) {
  const { states } = useShown().say.sources;
  const state = source.isRunning ? 'running' : (source.lastRun?.status ?? 'waiting');
  return <Badge tone={tones[state] ?? 'plain'} text={states[state]} />;
}
