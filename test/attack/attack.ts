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
  /** Words that are searched for by each caller. */
  words: number;
  /** Questions of each caller at each door that answers. */
  questions: number;
  /** Words and ids that the command line is asked for, of each kind. */
  commands: number;
  /** Entries that are changed again and again while readers of all kinds read what they were told of them. */
  walks: number;
}

/**
 * Tries all doors with the credentials, words and ids of two organizations. Each answer is held to what its reader may
 * see, by rules that are written down apart from the product. Runs on a server of its own on this machine.
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
