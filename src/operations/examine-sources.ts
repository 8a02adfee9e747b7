import { timestamp } from '../platform/clock.js';
import { describeSeconds } from '../platform/cli/progress.js';
import { findSourceStates, type SourceState } from '../sources/sources.repository.js';
import type { Check } from './doctor.schema.js';

type Store = Parameters<typeof findSourceStates>[0];

/** How the sources of all organizations are, for scripts. */
export async function readSources(app: Store) {
  const states = await findSourceStates(app);
  const count = (wanted: SourceState['state']) =>
    states.filter(({ state }) => state === wanted).length;
  return {
    total: states.length,
    running: count('running'),
    failing: count('failing'),
    overdue: count('overdue'),
    list: states.map(({ id, name, state, readAt }) => ({ id, name, state, read_at: readAt })),
  };
}

export type SourcesFigures = Awaited<ReturnType<typeof readSources>>;

/** Reports sources that fail, or that no process reads in time. Nothing where there are none. */
export async function examineSources(app: Store): Promise<Check[]> {
  return judgeSources(app, await readSources(app));
}

/** The most names in a line. */
const mostNames = 5;

export function judgeSources(
  { clock }: Pick<Store, 'clock'>,
  { total, running, failing, overdue, list }: SourcesFigures,
): Check[] {
  if (total === 0) return [];
  const name = 'sources';
  const named = list.filter(({ state }) => state === 'failing' || state === 'overdue');
  const names = named.slice(0, mostNames).map((one) => one.name);
  if (named.length > 0) {
    return [
      {
        name,
        status: 'warning',
        code: 'sources_troubled',
        values: { total, failing, overdue, names: names.join(', ') },
        finding: `${total}, of which ${failing} fail and ${overdue} are overdue: ${names.join(', ')}`,
        remedy:
          'See why: assistant sources list. What is overdue waits for assistant serve or assistant worker.',
      },
    ];
  }
  const oldest = list.map(({ read_at: at }) => at ?? '').sort()[0] ?? '';
  const now = Date.parse(timestamp(clock));
  const ago = oldest === '' ? '' : describeSeconds(Math.max(0, (now - Date.parse(oldest)) / 1000));
  const values = { total, running, ago };
  if (ago === '') {
    const finding = `${total}, ${running} running, some not read yet`;
    return [{ name, status: 'ok', code: 'sources_unread', values, finding }];
  }
  const finding = `${total}, ${running} running, all read within ${ago}`;
  return [{ name, status: 'ok', code: 'sources', values, finding }];
}
