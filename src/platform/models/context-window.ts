import { isSameModel, type InstalledModel, type ModelDescription } from './installed-models.js';
import { ModelError } from './model-error.js';

/** What is known of the chat model before it is asked. */
export interface ModelFacts {
  numCtx: number;
  /** It can think before it answers, and be told to or not to. */
  canThink: boolean;
}

export interface ContextWindow {
  /**
   * The window to send with every call, in tokens: the setting, or what the model can do where that is less.
   * Never rejects: a server that does not say leaves the setting.
   */
  read(): Promise<ModelFacts>;
  /** What the server lists: another digest is another model under the same name, which is asked anew. */
  seen(installed: readonly InstalledModel[]): void;
}

/** Asks once and remembers, since each change of the value between calls makes the server load the model again. */
export function createContextWindow(
  model: string,
  setting: number,
  show: () => Promise<ModelDescription>,
): ContextWindow {
  let known: Promise<ModelFacts> | undefined;
  let digest = '';

  async function ask(): Promise<ModelFacts> {
    try {
      const { contextLength, capabilities } = await show();
      const numCtx = Math.min(setting, contextLength ?? setting);
      return { numCtx, canThink: capabilities.includes('thinking') };
    } catch (error) {
      // Who refuses to show it will do so again; who did not answer may do so next time.
      const isFinal = error instanceof ModelError && error.failure === 'refused';
      if (!isFinal) known = undefined;
      return { numCtx: setting, canThink: false };
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
