/** A fault at a door: it showed something to a caller who may not see it, or the server failed. */
export interface Finding {
  door: string;
  what: string;
}

/** The counts of a door. */
export interface DoorCount {
  door: string;
  /** Answers that were checked for what their reader may not see. */
  checks: number;
  /** Checked answers that were refusals. */
  refused: number;
  findings: number;
}

/** Findings beyond this many say nothing new. */
const mostFindings = 50;

/** Counts checks by door, and keeps their findings. */
export class Tally {
  readonly findings: Finding[] = [];
  readonly #doors = new Map<string, DoorCount>();

  /** Runs one check: `look` returns a status, or throws a finding. */
  async check(door: string, look: () => Promise<number>): Promise<void> {
    const count = this.#doors.get(door) ?? { door, checks: 0, refused: 0, findings: 0 };
    this.#doors.set(door, count);
    count.checks += 1;
    try {
      const status = await look();
      if (status >= 500) throw new Error(`the server answered ${status}`);
      if (status >= 400) count.refused += 1;
    } catch (error) {
      count.findings += 1;
      const what = error instanceof Error ? error.message : String(error);
      if (this.findings.length < mostFindings) this.findings.push({ door, what });
    }
  }

  get doors(): DoorCount[] {
    return [...this.#doors.values()];
  }

  get checks(): number {
    return this.doors.reduce((sum, { checks }) => sum + checks, 0);
  }
}
