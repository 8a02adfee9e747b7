import type { SystemState } from '../../operations/read-system.js';
import { examination } from '../../operations/start-examination.js';
import { Badge } from '../layout/badge.js';
import { Checks, tones } from '../layout/checks.js';
import { Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { Time } from '../layout/time.js';
import { LongWork } from './long-work.js';

/** The examination of `assistant doctor`: the last one with its findings, and the button for another. */
export function Examination({ last, work }: SystemState['examination']) {
  const words = useShown().say.system.examination;
  return (
    <section id="examination">
      <h2>{words.title}</h2>
      <p class="hint">{words.about}</p>
      <LongWork work={work} name={examination} words={words} />
      {work?.isRunning === true ? null : (
        <Form action="examine">
          <button>{words.start}</button>
        </Form>
      )}
      {last === undefined ? <p class="nothing">{words.never}</p> : <Findings last={last} />}
    </section>
  );
}

function Findings({ last }: { last: NonNullable<SystemState['examination']['last']> }) {
  const { say, format } = useShown();
  const words = say.system.examination;
  const bad = last.checks
    .filter(({ status }) => status !== 'ok')
    .sort((a, b) => a.status.localeCompare(b.status));
  const good = last.checks.filter(({ status }) => status === 'ok');
  return (
    <>
      <p class="verdict">
        <span>
          {words.last} <Time iso={last.checked_at} />
        </span>
        <Badge tone={tones[last.status]} text={say.system.statuses[last.status]} />
        <span class="hint">{say.system.version(last.version)}</span>
      </p>
      {bad.length === 0 ? <p>{words.allGood}</p> : <Checks checks={bad} />}
      <details class="more">
        <summary>{words.good(format.number(good.length))}</summary>
        <Checks checks={good} />
      </details>
    </>
  );
}
