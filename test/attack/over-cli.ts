import { join } from 'node:path';
import type { Arena } from '../properties/arena.js';
import type { Caller } from '../properties/callers.js';
import { startHost } from '../support/run-cli.js';
import type { AttackSize } from './attack.js';
import { spread } from './over-http.js';
import type { Tally } from './tally.js';

const door = 'command line';

const lists = [
  ...['knowledge list', 'requests list', 'batches list', 'users list', 'keys list'],
  ...['apps list', 'domains list', 'views list', 'audit list', 'tokens list'],
  'usage',
];

/** Runs commands as the operator of one organization: no output shows data of the other one. */
export async function attackCommands(
  arena: Arena,
  tally: Tally,
  { commands }: AttackSize,
): Promise<void> {
  const host = startHost({ folder: arena.folder });
  try {
    for (const side of [0, 1] as const) {
      const reader = arena.callers.find(
        (caller) =>
          caller.side === side &&
          caller.identity.kind === 'person' &&
          caller.identity.role === 'admin',
      );
      if (reader === undefined) throw new Error('no admin has signed in');
      const { organizationId } = arena.world.sides[side];
      const org = arena.facts.find('organizations', 'id', organizationId)?.['slug'];
      const foreign = arena.world.sides[side === 0 ? 1 : 0].things;
      const tried = [
        ...lists.map((words) => words.split(' ')),
        ...spread(foreign.canary.map(String), commands).flatMap((word) => [
          ['knowledge', 'search', `oiling ${word}`],
          ['ask', `What about oiling the pump with ${word}?`],
        ]),
        ...spread(foreign.entry.map(String), commands).map((id) => ['knowledge', 'show', id]),
        ...spread(foreign.request.map(String), commands).map((id) => ['requests', 'show', id]),
      ];
      for (const args of tried) {
        await tally.check(door, () => run(reader, [...args, '--json', '--org', String(org)]));
      }
      const file = ['knowledge', 'export', '-', '--format', 'jsonl', '--org', String(org)];
      await tally.check('export', () => run(reader, file));
    }
  } finally {
    await host.stop();
  }

  async function run(reader: Caller, args: string[]): Promise<number> {
    const env = { ASSISTANT_DATABASE_PATH: join(arena.folder, 'test.sqlite') };
    const { code, stdout, stderr } = await host.run(args, env);
    const changes = await arena.changes();
    try {
      const asked = { method: 'CLI', path: args.join(' '), headers: {} };
      const answer = { status: 200, headers: {}, text: `${stdout}\n${stderr}` };
      arena.secrets.check(reader, false, asked, answer);
      // 3 and 4 mean not found and refused. Any other code is a failure of the program.
      if (![0, 3, 4].includes(code)) throw new Error(`assistant ${args.join(' ')}: ${stderr}`);
      return code === 0 ? 200 : 404;
    } finally {
      await arena.store.restore(changes);
    }
  }
}
