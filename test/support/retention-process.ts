import { openApp } from '../../src/main/open-app.js';
import type { Config } from '../../src/platform/config/schema.js';
import { enforceRetention } from '../../src/privacy/enforce-retention.job.js';

// Removes due data from the database of the given configuration. Tests start it as a process that they kill.
const app = await openApp(JSON.parse(process.argv[2] ?? '') as Config);
process.send?.('open');
await enforceRetention(app);
await app.close();
