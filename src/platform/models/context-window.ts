import { isSameModel, type InstalledModel, type ModelDescription } from './installed-models.js';
import { ModelError } from './model-error.js';

export interface ContextWindow {
  /**
   * The window to send with every call, in tokens: the setting, or what the model can do where that is less.
   * Never rejects: a server that does not say leaves the setting.
   */
  read(): Promise<number>;
  /** What the server lists: another digest is another model under the same name, which is asked anew. */
  seen(installed: readonly InstalledModel[]): void;
}

/** Asks once and remembers, since each change of the value between calls makes the server load the model again. */
export function createContextWindow(
  model: string,
  setting: number,
  show: () => Promise<ModelDescription>,
): ContextWindow {
  let known: Promise<number> | undefined;
  let digest = '';

  async function ask(): Promise<number> {
    try {
      const { contextLength } = await show();
      return Math.min(setting, contextLength ?? setting);
    } catch (error) {
      // Who refuses to show it will do so again; who did not answer may do so next time.
      const isFinal = error instanceof ModelError && error.failure === 'refused';
      if (!isFinal) known = undefined;
      return setting;
    }
  }

  return {
    read: () => (known ??= ask()),
    seen(installed) {
      const present = installed.find(({ name }) => isSameModel(name, model))?.digest ?? '';
      if (digest !== '' && present !== '' && present !== digest) known = undefined;
      if (present !== '') digest = present;
    },
  };
}
