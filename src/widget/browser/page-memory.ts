import { memoryName } from '../../chat/connection/storage.js';

/** Whether this browser may know somebody of whom the service has kept something. */
export function remembersSomebody(key: string): boolean {
  try {
    return localStorage.getItem(memoryName(key)) !== null;
  } catch {
    return false;
  }
}

const openName = 'assistant:open';

/** Whether the panel was last open in this tab; undefined where nobody has opened or closed it. */
export function recallOpen(): boolean | undefined {
  try {
    const kept = sessionStorage.getItem(openName);
    return kept === null ? undefined : kept === '1';
  } catch {
    return undefined;
  }
}

/** Undefined forgets it. */
export function rememberOpen(isOpen: boolean | undefined): void {
  try {
    if (isOpen === undefined) sessionStorage.removeItem(openName);
    else sessionStorage.setItem(openName, isOpen ? '1' : '0');
  } catch {
    // Where storage is blocked, the next page begins as any first one.
  }
}
