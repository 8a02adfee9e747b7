import type { TestApp, TestOrganization } from './test-app.js';

export interface AuditRecord {
  actor: string;
  action: string;
  subject: string;
  before: unknown;
  after: unknown;
}

interface AuditRow extends Omit<AuditRecord, 'before' | 'after'> {
  before: string | null;
  after: string | null;
}

/** The audit log of an organization, with the oldest change first. */
export async function auditLogOf(
  { app }: Pick<TestApp, 'app'>,
  { operator }: TestOrganization,
): Promise<AuditRecord[]> {
  const { organizationId } = operator;
  const rows = await app.db
    .read<AuditRow & { id: number; organization_id: number }>('audit_log')
    .where({ organization_id: organizationId })
    .orderBy('id')
    .select('actor', 'action', 'subject', 'before', 'after');
  const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
  return rows.map((row) => ({ ...row, before: parsed(row.before), after: parsed(row.after) }));
}
