import assert from 'node:assert/strict';
import { openArena, type Arena } from '../properties/arena.js';
import { Secrets } from '../properties/secrets.js';
import { attack } from './attack.js';

/** A slice of what `npm run attack` tries: enough for its doors not to rot. */
const slice = { seed: 20_260_301, draws: 0, words: 2, questions: 2, commands: 1, walks: 1 };

describe('The attack on all doors', function () {
  // Thousands of requests, one after another: a busy machine takes long for them.
  this.timeout(300_000);
  let arena: Arena;
  before(async () => {
    arena = await openArena();
  });
  after(() => arena.close());

  it('finds nothing that its reader may not see, at any door', async () => {
    const { doors, findings, checks } = await attack(arena, slice);
    assert.deepEqual(findings, []);
    assert.ok(checks > 500, `${checks} checks`);
    // Doors that refuse everything, or let everybody in, would have been tried in vain.
    for (const { door, checks, refused } of doors) {
      if (door === 'page query' || door === 'export') continue;
      assert.ok(refused > 0 && refused < checks, `${door}: ${refused} of ${checks} were refused`);
    }
  });

  it('tells where something is shown that the rules forbid', async () => {
    const entries = arena.facts.rows.get('knowledge_entries') ?? [];
    const known = new Map(arena.facts.rows);
    // Were public entries internal, every door that shows them would leak.
    known.set(
      'knowledge_entries',
      entries.map((row) => ({ ...row, visibility: 'internal' })),
    );
    const facts = { ...arena.facts, rows: known };
    const secrets = new Secrets(facts, arena.world.secrets);
    const { doors, findings } = await attack({ ...arena, facts, secrets }, { ...slice, walks: 0 });
    const leaky = doors.filter((door) => door.findings > 0).map(({ door }) => door);
    const expected = ['page query', 'knowledge', 'answers as JSON', 'answers as events'];
    for (const door of [...expected, 'widget over WebSocket']) {
      assert.ok(leaky.includes(door), `${door} is not among ${leaky.join(', ')}`);
    }
    assert.match(findings[0]?.what ?? '', /may not see/);
  });
});
