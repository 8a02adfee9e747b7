import { z } from 'zod';
import type { NamedVersion } from '../../knowledge/change-entries.js';

const oneOrMore = /^[\da-f-]{36}:\d{1,15}(\n[\da-f-]{36}:\d{1,15})*$/;

/** The entries of a form, each with the version that was shown: `uuid:version`, on a line each. */
export const namedVersions = z
  .string()
  .regex(oneOrMore)
  .transform((text) => text.split('\n').map(versionIn));

function versionIn(text: string): NamedVersion {
  const [name = '', version] = text.split(':');
  return { name, version: Number(version) };
}

/** An entry with its version, as a form names it. */
export function versionText({ name, version }: NamedVersion): string {
  return `${name}:${version}`;
}
