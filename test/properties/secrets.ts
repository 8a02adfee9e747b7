import assert from 'node:assert/strict';
import type { Caller } from './callers.js';
import { hiddenColumns, maySee, secretColumns, type Facts } from './oracle.js';
import type { WireAnswer, WireRequest } from './send.js';
import type { Change, Row } from './store.js';

const marks = /kanari[b-m]{6}|wk_live_[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Words, keys and ids that each occur in one row of the world. An answer with one of them shows that row. */
export class Secrets {
  private readonly known = new Set<string>();
  private readonly visible = new Map<string, Set<string>>();
  /** Values that no answer may contain. */
  private readonly never: string[];

  constructor(
    private readonly facts: Facts,
    rawSecrets: string[],
  ) {
    const hidden = [...facts.rows.values()].flat().flatMap(secretsOf);
    this.never = [...new Set([...rawSecrets, ...hidden])];
    for (const rows of facts.rows.values()) {
      for (const mark of rows.flatMap(marksOf)) this.known.add(mark);
    }
  }

  /** Fails if an answer contains data that its reader may not see and did not send. */
  check(caller: Caller, pages: boolean, request: WireRequest, answer: WireAnswer): void {
    const whole = `${JSON.stringify(answer.headers)}\n${answer.text}`;
    const asked = `${decode(request.path)}\n${JSON.stringify(request.headers)}\n${request.body?.toString() ?? ''}`;
    const seen = this.visibleTo(caller, pages);
    for (const mark of marksIn(whole)) {
      if (!this.known.has(mark) || seen.has(mark) || asked.toLowerCase().includes(mark)) continue;
      assert.fail(
        `the answer holds ${mark}, ${this.whereIs(mark)}, which ${caller.name} may not see: ${answer.text.slice(0, 600)}`,
      );
    }
    for (const secret of this.never) {
      const shown = whole.includes(secret) && !asked.includes(secret);
      assert.ok(!shown, `the answer shows the secret ${secret}`);
    }
  }

  /** Fails if an answer contains a hash that its own request has stored. */
  checkNew(changes: Change[], { text }: WireAnswer): void {
    for (const { table, after } of changes) {
      // The secret of a webhook is shown once, when it is created.
      if (after === undefined || table === 'webhook_endpoints') continue;
      for (const secret of secretsOf(after))
        assert.ok(!text.includes(secret), `the answer shows a secret of ${table}`);
    }
  }

  private visibleTo(caller: Caller, pages: boolean): Set<string> {
    const key = `${caller.name}/${pages}`;
    const known = this.visible.get(key);
    if (known !== undefined) return known;
    const seen = new Set<string>();
    for (const [table, rows] of this.facts.rows) {
      for (const row of rows) {
        if (!maySee(caller, table, row, this.facts, pages)) continue;
        const hidden = hiddenColumns(caller, table, row);
        const shown = Object.entries(row).filter(([column]) => !hidden.includes(column));
        for (const mark of marksOf(Object.fromEntries(shown))) seen.add(mark);
      }
    }
    this.visible.set(key, seen);
    return seen;
  }

  private whereIs(mark: string): string {
    const found = [...this.facts.rows].filter(([, rows]) =>
      rows.some((row) => marksOf(row).includes(mark)),
    );
    return `of ${found.map(([table]) => table).join(', ')}`;
  }
}

function secretsOf(row: Row): string[] {
  return Object.entries(row).flatMap(([column, value]) =>
    secretColumns.test(column) && typeof value === 'string' ? [value] : [],
  );
}

/** The marks of the row itself, without ids of other rows in it. */
function marksOf(row: Row): string[] {
  return Object.values(row).flatMap((value) => (typeof value === 'string' ? marksIn(value) : []));
}

function marksIn(text: string): string[] {
  return [...text.matchAll(marks)].map(([mark]) => mark.toLowerCase());
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll('+', ' '));
  } catch {
    return path;
  }
}
