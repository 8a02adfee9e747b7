import { counted } from '../../platform/text/counted.js';
import { sizeText } from './scratch-space.js';
import type { Backup } from './create-backup.js';
import type { ListedBackup } from './list-backups.js';
import type { Manifest } from './manifest.js';
import type { Restoration } from './restore-backup.js';
import type { Verification } from './verify-backup.js';

/** The manifest of a backup for --json. */
function presentManifest(manifest: Manifest | undefined): Record<string, unknown> {
  if (manifest === undefined) return {};
  const { created_at, version, migrations, counts, configuration } = manifest;
  return { created_at, version, migrations: migrations.length, counts, configuration };
}

export function presentBackup({ file, size, sha256, manifest }: Backup): Record<string, unknown> {
  return { file, size_bytes: size, sha256, ...presentManifest(manifest) };
}

export function presentVerification(verification: Verification): Record<string, unknown> {
  const { file, size, sha256, manifest, problems, questions } = verification;
  const facts = { file, ok: problems.length === 0, problems, size_bytes: size, sha256 };
  return { ...facts, questions, ...presentManifest(manifest) };
}

export function presentRestoration(restoration: Restoration): Record<string, unknown> {
  const { database, manifest, before, setAside, configuration, pending, astray } = restoration;
  return {
    restored: true,
    database,
    before: before?.file ?? null,
    set_aside: setAside,
    configuration_file: configuration,
    pending_migrations: pending,
    astray,
    ...presentManifest(manifest),
  };
}

export function presentListed(listed: ListedBackup): Record<string, unknown> {
  const { file, form, size, createdAt, verifiedAt, manifest, problem } = listed;
  const facts = { file, form, size_bytes: size, ...presentManifest(manifest) };
  const checked = { verified_at: verifiedAt, problem: problem?.message ?? null };
  return { ...facts, created_at: createdAt, ...checked };
}

/** The content of a backup in one line. */
function summary({ counts, created_at: at, version }: Manifest): string {
  const held = [
    counted(counts['organizations'] ?? 0, 'organization'),
    counted(counts['knowledge_entries'] ?? 0, 'entry', 'entries'),
    counted(counts['ingestion_batches'] ?? 0, 'upload'),
    counted(counts['users'] ?? 0, 'user'),
  ];
  return `${held.join(', ')}; ${at}, version ${version}`;
}

export function describeBackup({ file, size, sha256, manifest }: Backup): string {
  const { secrets, left_out: leftOut } = manifest.configuration;
  const without = leftOut.length === 0 ? '' : `\nLeft out as secrets: ${leftOut.join(', ')}`;
  const within = secrets ? '\nIt contains the secrets of the configuration.' : '';
  return `${file}\n${sizeText(size)}: ${summary(manifest)}\nsha256 ${sha256}${without}${within}`;
}

export function describeVerification(verification: Verification): string {
  const { file, manifest, problems, questions } = verification;
  if (problems.length > 0) {
    return `${file} can't be relied on:\n${problems.map((line) => `  ${line}`).join('\n')}`;
  }
  const held = manifest === undefined ? 'a plain copy of a database' : summary(manifest);
  const asked = questions?.asked ?? 0;
  const answered = asked === 0 ? 'nothing in it to ask for' : `${asked} of ${asked} questions held`;
  return `${file} is whole: ${held}; ${answered}.`;
}

export function describeRestoration(restoration: Restoration, file: string): string {
  const { database, manifest, before, setAside, configuration, pending, astray } = restoration;
  const lines = [`${database} is what ${file} holds.`];
  if (before !== null) lines.push(`What was there before: ${before.file}`);
  if (setAside !== null) {
    lines.push(`What was there before could not be read, and was set aside: ${setAside}`);
  }
  if (configuration !== null) lines.push(`Its configuration was written to ${configuration}`);
  const { left_out: leftOut = [], environment = [] } = manifest?.configuration ?? {};
  if (configuration !== null && leftOut.length > 0) {
    lines.push(`The backup has no secrets. Set these again: ${leftOut.join(', ')}`);
  }
  if (configuration !== null && environment.length > 0) {
    lines.push(`Set by environment variables when it was made: ${environment.join(', ')}`);
  }
  if (pending.length > 0) {
    lines.push(
      `It is of an older version: the next start, or assistant upgrade, runs ${counted(pending.length, 'migration')}.`,
    );
  }
  lines.push(
    ...astray.map((line) => `So it was when the backup was made: ${line} (assistant doctor)`),
  );
  return lines.join('\n');
}
