import { createAssistant } from './lifecycle.js';

/* The script that pages include: what runs when it is loaded. */

window.Assistant ??= createAssistant(() => undefined);
