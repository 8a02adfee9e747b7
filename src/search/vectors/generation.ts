/**
 * `building` is embedded beside the `live` one, which searches use; `previous` was live before, and `undone` was
 * live until somebody went back; `discarded` ones are being deleted.
 */
export type GenerationState = 'building' | 'live' | 'previous' | 'undone' | 'discarded';

/** What one model, as it was installed, made of the passages: vectors that can be compared with each other alone. */
export interface Generation {
  id: number;
  model: string;
  /** Of the model as it was when the vectors were made; '' of a server that names none. */
  digest: string;
  dimension: number;
  passagePrefix: string;
  state: GenerationState;
  /** All passages up to this id were embedded. */
  embeddedTo: number;
  /** Passages of which the model made nothing: words alone find them. */
  refused: number;
  createdAt: string;
}

/** What the settings ask for, as it is installed now. */
export interface WantedModel {
  model: string;
  digest: string;
  passagePrefix: string;
}

/** Whether a generation's vectors and those that the model would give now lie in one space. */
export function isOf(generation: Generation, wanted: WantedModel): boolean {
  if (generation.passagePrefix !== wanted.passagePrefix) return false;
  if (wanted.digest !== '' || generation.digest !== '') return generation.digest === wanted.digest;
  return generation.model === wanted.model;
}
