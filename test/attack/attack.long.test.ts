import assert from 'node:assert/strict';
import { openArena, type Arena } from '../properties/arena.js';
import { Secrets } from '../properties/secrets.js';
import { attack } from './attack.js';
import { attackWords } from './over-http.js';
import { attackSocket } from './over-socket.js';
import { Tally } from './tally.js';

/** A small part of what `npm run attack` tries, with every door in it. */
const slice = { seed: 20_260_301, draws: 0, words: 2, questions: 2, commands: 1, walks: 1 };

describe('The attack on all doors', function () {
  // It sends thousands of requests, one after another, which takes long on a busy machine.
  this.timeout(300_000);
  let arena: Arena;
  before(async () => {
    arena = await openArena();
  });
  after(() => arena.close());

  it('finds nothing at any door that the caller may not see', async () => {
    const { doors, findings, checks } = await attack(arena, slice);
    assert.deepEqual(findings, []);
    assert.ok(checks > 500, `${checks} checks`);
    // A door that refuses everything or nothing would prove nothing.
    for (const { door, checks, refused } of doors) {
      if (door === 'page query' || door === 'export') continue;
      assert.ok(refused > 0 && refused < checks, `${door}: ${refused} of ${checks} were refused`);
    }
  });

  it('reports each door that shows something forbidden', async () => {
    const entries = arena.facts.rows.get('knowledge_entries') ?? [];
    const known = new Map(arena.facts.rows);
    // If public entries were internal, every door that shows them would leak.
    known.set(
      'knowledge_entries',
      entries.map((row) => ({ ...row, visibility: 'internal' })),
    );
    const facts = { ...arena.facts, rows: known };
    const secrets = new Secrets(facts, arena.world.secrets);
    const tally = new Tally();
    await attackWords({ ...arena, facts, secrets }, tally, slice);
    await attackSocket({ ...arena, facts, secrets }, tally, slice);
    const { doors, findings } = tally;
    const leaky = doors.filter((door) => door.findings > 0).map(({ door }) => door);
    const expected = ['page query', 'knowledge', 'answers as JSON', 'answers as events'];
    for (const door of [...expected, 'widget over WebSocket']) {
      assert.ok(leaky.includes(door), `${door} is not among ${leaky.join(', ')}`);
    }
    assert.match(findings[0]?.what ?? '', /may not see/);
  });
});
