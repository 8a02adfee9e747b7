import { mostWork } from '../../operations/count-work.js';
import { worstOf } from '../../operations/doctor.schema.js';
import type { Health } from '../../operations/read-health.js';
import type { SystemState } from '../../operations/read-system.js';
import { Badge } from '../layout/badge.js';
import { Checks, tones } from '../layout/checks.js';
import { Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { StatusTiles } from './status-tiles.js';
import { Tile } from './tile.js';
import { examination } from '../../operations/start-examination.js';
import { Time } from '../layout/time.js';
import { LongWork } from './long-work.js';

interface SystemProps {
  version: string;
  health: Health;
  /** Undefined for admins of other organizations than the first. */
  system: SystemState | undefined;
  /** True when the person has hidden the steps of a new installation. */
  isHidden: boolean;
}

export function System({ version, health, system, isHidden }: SystemProps) {
  const { say, at, format, now } = useShown();
  const words = say.system;
  const checks = [...(system?.status.checks ?? []), ...(system?.proxy ?? [])];
  const trouble = checks
    .filter(({ status }) => status !== 'ok')
    .sort((a, b) => a.status.localeCompare(b.status));
  const verdict = worstOf([
    ...trouble,
    ...(isWell(health) ? [] : [{ status: 'warning' } as const]),
  ]);
  return (
    <>
      <div class="head">
        <h1>{words.title}</h1>
        {system === undefined ? null : (
          <div class="buttons">
            <a class="button" href={at('/system/settings')}>
              {words.settings.title}
            </a>
            <a class="button" href={at('/system/backups')}>
              {words.backups.title}
            </a>
          </div>
        )}
      </div>
      <p class="verdict">
        <Badge tone={tones[verdict]} text={words.verdicts[verdict]} />
        <span>{words.version(version)}</span>
        <span class="hint">
          {words.asOf(format.clock(now.toISOString()))}{' '}
          <a href={at('/system')}>{words.lookAgain}</a>
        </span>
      </p>
      {trouble.length === 0 ? null : (
        <section>
          <h2>{words.attention}</h2>
          <Checks checks={trouble} />
        </section>
      )}
      <section>
        <h2>{words.state}</h2>
        <dl class="tiles states">
          {system === undefined ? null : <StatusTiles status={system.status} />}
          <HealthTiles health={health} isWhole={system === undefined} />
        </dl>
      </section>
      {system === undefined ? null : <Examination {...system.examination} />}
      {isHidden ? (
        <Form action="showChecklist" to="/">
          <button class="quiet">{say.checklist.show}</button>
        </Form>
      ) : null}
    </>
  );
}

function isWell({ hosts, withoutKey, documents, model }: Health): boolean {
  const hasModel = model === 'ready' || model === 'unused';
  return hosts.length > 0 && withoutKey.length === 0 && documents.failed === 0 && hasModel;
}

/** `isWhole`: with what the state of the installation says besides. */
function HealthTiles({ health, isWhole }: { health: Health; isWhole: boolean }) {
  const { say, format } = useShown();
  const words = say.system;
  const { hosts, withoutKey, documents, model } = health;
  const counted = (count: number) =>
    count > mostWork ? `${format.number(mostWork)}+` : format.number(count);
  const isReady = model === 'ready' || model === 'unused';
  return (
    <>
      <Tile
        name={words.tiles.domains}
        to="/sites"
        {...(hosts.length === 0 ? { tone: 'warning' } : {})}
        note={hosts.length === 0 ? words.noDomain : hosts.slice(0, 3).join(', ')}
      >
        {format.number(hosts.length)}
      </Tile>
      <Tile
        name={words.tiles.keys}
        to="/sites"
        {...(withoutKey.length > 0 ? { tone: 'warning' } : {})}
        note={
          withoutKey.length === 0
            ? words.keysGood
            : words.keyless(withoutKey.map(({ name }) => name).join(', '))
        }
      >
        {words.statuses[withoutKey.length === 0 ? 'ok' : 'warning']}
      </Tile>
      {isWhole ? (
        <>
          <Tile
            name={words.tiles.queue}
            to={documents.failed > 0 ? '/documents?status=failed' : '/documents'}
            {...(documents.failed > 0 ? { tone: 'warning' } : {})}
            note={words.failed(counted(documents.failed))}
          >
            {counted(documents.unread)}
          </Tile>
          <Tile
            name={words.tiles.model}
            {...(isReady ? {} : { tone: 'warning' })}
            note={isReady ? undefined : words.modelTrouble}
          >
            {words.models[model]}
          </Tile>
        </>
      ) : null}
    </>
  );
}

/** The examination of `assistant doctor`: the last one with its findings, and the button for another. */
function Examination({ last, work }: SystemState['examination']) {
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
