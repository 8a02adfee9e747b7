import { basename } from 'node:path';
import type { ListedBackup } from '../../operations/backup/list-backups.js';
import { backup as work } from '../../operations/manage-backups.js';
import type { WorkState } from '../../platform/long-work.js';
import { Badge } from '../layout/badge.js';
import { Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { BelowSystem } from './below-system.js';
import { LongWork } from './long-work.js';

interface BackupsProps {
  backups: ListedBackup[];
  folder: string;
  mayMake: boolean;
  work: WorkState | undefined;
}

export function Backups({ backups, folder, mayMake, work: state }: BackupsProps) {
  const { say, format } = useShown();
  const words = say.system.backups;
  return (
    <>
      <BelowSystem words={words} what={folder} />
      <LongWork work={state} name={work} words={words} />
      {!mayMake ? (
        <p>
          {words.ofAll} <code>assistant backup</code>
        </p>
      ) : state?.isRunning === true ? null : (
        <Form action="make">
          <p class="hint">{words.makeHint}</p>
          <button class="main">{words.make}</button>
        </Form>
      )}
      {backups.length === 0 ? (
        <p class="nothing">{words.none}</p>
      ) : (
        <div class="verbatim">
          <Table
            caption={words.title}
            columns={[
              words.made,
              words.check,
              say.labels.size,
              words.entries,
              words.version,
              words.file,
            ]}
          >
            {backups.map((backup) => (
              <Row
                key={backup.file}
                name={<Time iso={backup.createdAt} />}
                cells={[
                  <Verification of={backup} />,
                  <span class="whole">{format.bytes(backup.size)}</span>,
                  <Entries of={backup} />,
                  backup.manifest?.version ?? '–',
                  <code>{basename(backup.file)}</code>,
                ]}
              />
            ))}
          </Table>
          <p class="hint">
            {words.verifyHint} <code>assistant backup verify</code>, <code>assistant restore</code>
          </p>
        </div>
      )}
    </>
  );
}

function Entries({ of: { manifest } }: { of: ListedBackup }) {
  const { format } = useShown();
  const entries = manifest?.counts['knowledge_entries'];
  return <>{entries === undefined ? '–' : format.number(entries)}</>;
}

function Verification({ of: { form, problem, verifiedAt } }: { of: ListedBackup }) {
  const { say } = useShown();
  const { beforeUpgrade, problems } = say.system.backups;
  if (problem !== undefined) return <Badge tone="bad" text={problems[problem.kind]} />;
  if (form === 'database') return <Badge text={beforeUpgrade} />;
  if (verifiedAt === null) return <Badge text={say.system.notChecked} />;
  return (
    <>
      <Badge tone="good" text={say.system.checked} /> <Time iso={verifiedAt} />
    </>
  );
}
