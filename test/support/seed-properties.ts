import fc from 'fast-check';

/*
 * Mocha loads this module into each process that runs tests (.mocharc.json). Properties try the same values in every
 * run, so that a run fails because of a change and not by chance. PROPERTY_SEED=2 tries others.
 */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_260_301) });
