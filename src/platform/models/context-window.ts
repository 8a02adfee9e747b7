import { isSameModel, type InstalledModel, type ModelDescription } from './installed-models.js';
import { ModelError } from './model-error.js';

export interface ModelFacts {
  numCtx: number;
  /** The model can think before it answers, and thinking can be turned on and off. */
  canThink: boolean;
}

export interface ContextWindow {
  /**
   * The window to send with every call, in tokens: the setting, or the model's maximum when that is less. Never
   * rejects: when the server does not report a maximum, the setting applies.
   */
  read(): Promise<ModelFacts>;
  /** Receives the server's list of models. A new digest is a new model under the same name, which is asked again. */
  seen(installed: readonly InstalledModel[]): void;
}

/** Asks the server once and remembers the answer: each change of the window makes the server reload the model. */
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
      // A server that refuses will refuse again. A server that did not answer may answer next time.
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
