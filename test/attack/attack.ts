import type { Arena } from '../properties/arena.js';
import { attackIds } from './foreign-and-missing.js';
import { attackCommands } from './over-cli.js';
import { attackOperations, attackWords } from './over-http.js';
import { attackSocket } from './over-socket.js';
import { attackPages } from './over-pages.js';
import { attackOverTime } from './over-time.js';
import { Tally } from './tally.js';

/** How much is tried. */
export interface AttackSize {
  seed: number;
  /** Requests of each operation by each caller. */
  draws: number;
  /** Words that each caller searches for. */
  words: number;
  /** Questions of each caller at each door that answers. */
  questions: number;
  /** Words and ids of each kind that commands name. */
  commands: number;
  /** Entries that are changed repeatedly while readers of all kinds read their earlier answers again. */
  walks: number;
}

/**
 * Tries all doors with the credentials, words and ids of two organizations. Each answer is compared with what its reader may
 * see, by rules that are independent of the product. Runs on a server of its own on this machine.
 */
export async function attack(arena: Arena, size: AttackSize): Promise<Tally> {
  const tally = new Tally();
  await attackWords(arena, tally, size);
  await attackSocket(arena, tally, size);
  await attackCommands(arena, tally, size);
  await attackOperations(arena, tally, size);
  await attackIds(arena, tally, size);
  await attackPages(arena, tally, size);
  await attackOverTime(tally, size);
  return tally;
}
