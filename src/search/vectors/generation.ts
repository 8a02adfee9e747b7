/**
 * `live`: searches use it. `building`: it is embedded beside the live one. `previous`: it was live before. `undone`: it
 * was live until somebody reverted it. `discarded`: it is being deleted.
 */
export type GenerationState = 'building' | 'live' | 'previous' | 'undone' | 'discarded';

/** The vectors of one installed version of a model. They are comparable only with each other. */
export interface Generation {
  id: number;
  model: string;
  /** The digest of the model when the vectors were made; '' when the server reports none. */
  digest: string;
  dimension: number;
  passagePrefix: string;
  state: GenerationState;
  /** All passages up to this id were embedded. */
  embeddedTo: number;
  /** Passages that the model could not embed: only words find them. */
  refused: number;
  createdAt: string;
}

/** The configured model as installed now. */
export interface WantedModel {
  model: string;
  digest: string;
  passagePrefix: string;
}

/** True when a generation's vectors are comparable with new ones of the model. */
export function isOf(generation: Generation, wanted: WantedModel): boolean {
  if (generation.passagePrefix !== wanted.passagePrefix) return false;
  if (wanted.digest !== '' || generation.digest !== '') return generation.digest === wanted.digest;
  return generation.model === wanted.model;
}
