import { loadConfig } from '../../platform/config/load-config.js';
import { systemClock } from '../../platform/clock.js';
import { listProcesses, type RunningProcess } from '../../platform/running-processes.js';

/** The servers and workers that run with a configuration; none if it is invalid. */
export async function findUsers(configGiven: string | undefined): Promise<RunningProcess[]> {
  try {
    const { config } = await loadConfig(configGiven);
    return listProcesses(config.database.path, systemClock.now());
  } catch {
    return [];
  }
}
