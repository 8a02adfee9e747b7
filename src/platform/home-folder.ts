import { homedir } from 'node:os';

/** Undefined for a user that the system does not know, such as a number that a container runs as, where HOME is unset. */
export function homeFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}
