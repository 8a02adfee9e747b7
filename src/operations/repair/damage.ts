import type { App } from '../../platform/app.js';
import type { KeepRows } from '../../platform/db/references.js';

export type Store = Pick<App, 'db' | 'clock' | 'config' | 'log'>;

export interface Finding {
  /** The problem, as a sentence without its full stop. */
  what: string;
  /** What a person must do. Only for damage that no program can repair. */
  remedy?: string;
}

export interface LookOptions {
  /** Passages whose search data is computed again for comparison; default: all. It takes a millisecond each. */
  mostPassages?: number;
  /** Reads less of the file than all of it, which takes seconds for each GB. */
  withoutFile?: boolean;
}

/** One kind of damage: how it is found, and how it is mended. */
export interface Damage {
  /** The name of the doctor's check. */
  name: string;
  /** `failed` when people get wrong answers or none. */
  status: 'warning' | 'failed';
  /** True when it can be examined while migrations are pending. */
  inEverySchema?: boolean;
  find(app: Store, options?: LookOptions): Promise<Finding[]>;
  /** Repairs everything that `find` finds, in one transaction. Returns what it did, in sentences. */
  mend(app: Store, kept: KeepRows): Promise<string[]>;
}
