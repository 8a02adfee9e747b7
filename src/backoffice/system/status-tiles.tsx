import type { Status } from '../../operations/read-status.js';
import { useShown } from '../layout/shown.js';
import { Time } from '../layout/time.js';
import { Tile } from './tile.js';

/** The facts of `assistant status`. What is wrong with them stands above, each with its remedy. */
export function StatusTiles({ status }: { status: Status }) {
  return (
    <>
      <Processes status={status} />
      <Queue status={status} />
      <Model status={status} />
      <Vectors status={status} />
      <Storage status={status} />
    </>
  );
}

interface Part {
  status: Status;
}

/** Marks the tile of a check that is not good. */
function toneOf({ checks }: Status, ...names: string[]) {
  const own = checks.filter(({ name }) => names.includes(name)).map(({ status }) => status);
  if (own.includes('failed')) return { tone: 'bad' } as const;
  return own.includes('warning') ? ({ tone: 'warning' } as const) : {};
}

function Processes({ status }: Part) {
  const { say } = useShown();
  const words = say.system;
  const { processes } = status.service;
  const servers = processes.filter(({ command }) => command === 'serve');
  const workers = processes.filter(({ command }) => command === 'worker');
  const [server] = servers;
  const [worker] = workers;
  const since = (one: typeof server) =>
    one === undefined ? undefined : (
      <>
        {say.labels.since} <Time iso={one.started_at} />
      </>
    );
  const word = (one: typeof server, none: string) =>
    one === undefined ? none : one.responds ? words.running : words.silent;
  return (
    <>
      <Tile name={words.tiles.server} note={since(server)} {...toneOf(status, 'service')}>
        {word(server, words.running)}
      </Tile>
      <Tile name={words.tiles.worker} note={since(worker)} {...toneOf(status, 'worker')}>
        {word(worker, words.inServer)}
      </Tile>
    </>
  );
}

function Queue({ status }: Part) {
  const { say, format } = useShown();
  const words = say.system;
  const { queue } = status;
  if (queue === null) return <Tile name={words.tiles.queue}>{words.unknown}</Tile>;
  const note = words.queue(format.number(queue.running), format.number(queue.failed));
  return (
    <Tile name={words.tiles.queue} to="/documents" note={note} {...toneOf(status, 'queue')}>
      {format.number(queue.waiting + queue.running)}
    </Tile>
  );
}

function Model({ status }: Part) {
  const words = useShown().say.system;
  const { models, checks } = status;
  const isUnused =
    checks.some(({ name, status }) => name === 'ollama' && status === 'ok') && !models.reachable;
  const state = isUnused
    ? 'unused'
    : !models.reachable
      ? 'unreachable'
      : models.chat_installed === true
        ? 'ready'
        : 'missing';
  const tone = toneOf(status, 'ollama', 'models', 'chat model', 'chat and embedding model');
  return (
    <Tile name={words.tiles.model} note={models.chat_model} {...tone}>
      {words.models[state]}
    </Tile>
  );
}

function Vectors({ status }: Part) {
  const { say, format } = useShown();
  const words = say.system;
  const { vectors } = status;
  if (vectors === null) return <Tile name={words.tiles.vectors}>{words.unknown}</Tile>;
  const { model, embedded, waiting } = vectors;
  const tone = toneOf(status, 'vectors', 'embedding model');
  if (model === null) {
    return (
      <Tile name={words.tiles.vectors} note={words.byWords} {...tone}>
        {words.models.unused}
      </Tile>
    );
  }
  const all = embedded + waiting;
  return (
    <Tile name={words.tiles.vectors} note={words.embedded(model)} {...tone}>
      {format.share(all === 0 ? 1 : Math.floor((embedded / all) * 100) / 100)}
    </Tile>
  );
}

function Storage({ status }: Part) {
  const { say, format } = useShown();
  const words = say.system;
  const { database, disk, backup } = status;
  const size = (bytes: number | null) => (bytes === null ? words.unknown : format.bytes(bytes));
  const pending = database.pending_migrations ?? 0;
  return (
    <>
      <Tile
        name={words.tiles.database}
        note={pending === 0 ? words.upToDate : words.pending(format.number(pending))}
        {...toneOf(status, 'database', 'migrations')}
      >
        {size(database.size_bytes)}
      </Tile>
      <Tile name={words.tiles.disk} note={disk.folder} {...toneOf(status, 'data folder')}>
        {size(disk.free_bytes)}
      </Tile>
      <Tile
        name={words.tiles.backup}
        to="/system/backups"
        note={backup === null ? undefined : <Verified at={backup.verified_at} />}
        {...toneOf(status, 'backup')}
      >
        {backup === null ? words.noneYet : <Time iso={backup.created_at} />}
      </Tile>
    </>
  );
}

function Verified({ at }: { at: string | null }) {
  const words = useShown().say.system;
  if (at === null) return <>{words.notChecked}</>;
  return (
    <>
      {words.checked} <Time iso={at} />
    </>
  );
}
