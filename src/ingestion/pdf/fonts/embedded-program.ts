import type { Dict } from '../syntax/objects.js';
import type { FontProgram } from './font-program.js';

export function embeddedProgram(descriptor: Dict | undefined): FontProgram | undefined {
  void descriptor;
  return undefined;
}
