import { memoryName } from '../../chat/connection/storage.js';

/** True when this browser may know a person about whom the service has stored something. */
export function remembersSomebody(key: string): boolean {
  try {
    return localStorage.getItem(memoryName(key)) !== null;
  } catch {
    return false;
  }
}

const openName = 'assistant:open';

/** Whether the panel was last open in this tab; undefined when nobody has opened or closed it. */
export function recallOpen(): boolean | undefined {
  try {
    const kept = sessionStorage.getItem(openName);
    return kept === null ? undefined : kept === '1';
  } catch {
    return undefined;
  }
}

/** Undefined deletes it. */
export function rememberOpen(isOpen: boolean | undefined): void {
  try {
    if (isOpen === undefined) sessionStorage.removeItem(openName);
    else sessionStorage.setItem(openName, isOpen ? '1' : '0');
  } catch {
    // Without storage, the next page starts like a first one.
  }
}
