import { sql } from 'kysely';
import { labelsOf } from '#kernel/contract/labels.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { containsText } from '#kernel/server/database/search.ts';
import { command } from '#kernel/server/handler.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { exportReasonText, modifyReasonText, queryReasonTextList, reasonFacts } from '../../contract/reasons/calls.ts';
import { own, ownTx } from '../database.ts';
import { reasonReference } from './reference.ts';

const records = recordOf((db) => own(db).selectFrom('insuranceReasonText as r').selectAll('r')).with({
  noun: '原因话术',
  type: 'insurance.reasonText',
  id: 'r.id',
  scope: () => sql<boolean>`true`,
});

const list = listOf(queryReasonTextList)
  .from(({ db, staff }) => records.seen(db, staff))
  .with({
    where: { keyword: (_eb, words) => containsText(sql`r.reason_code || ' ' || r.label || ' ' || r.applicant_text`, words) },
    id: 'r.id',
    sorts: { reasonCode: 'r.reasonCode', updatedAt: 'r.updatedAt' },
    order: [['r.reasonCode', 'asc']],
    bounded: 'reasons are some dozens',
    select: (rows) => rows.select(['r.id', 'r.reasonCode', 'r.label', 'r.applicantText', 'r.internalText', 'r.updatedAt', 'r.version']),
    present: (rows) => rows,
  });
const exported = listExport(list, {
  call: exportReasonText,
  title: '原因话术',
  routeKey: 'productHome',
  columns: ['reasonCode', 'label', 'applicantText', 'internalText', 'updatedAt'],
});

const modify = command(modifyReasonText, async ({ id, version, ...facts }, ctx) => {
  const stored = await records.lockVersion(ctx, id, version, ({ label, applicantText, internalText }) => ({
    label,
    applicantText,
    internalText,
  }));
  await ownTx(ctx.tx)
    .updateTable('insuranceReasonText')
    .set({ ...facts, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  ctx.target({ type: records.type, id, no: stored.reasonCode });
  ctx.changed(differencesOf(stored, facts, labelsOf(reasonFacts.shape)));
  return { id, version: version + 1 };
});

/** What applicants and colleagues read of a reason. */
export const reasonsModule: FeatureModule = {
  handlers: [list.handler, modify],
  exports: [exported],
  reference: [reasonReference],
};
