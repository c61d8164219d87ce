import { recordOf } from '#kernel/server/record/recordOf.ts';
import { insurerScopeOrCommon } from '../access.ts';
import { own } from '../database.ts';

export const formularyRecords = recordOf((db) => own(db).selectFrom('insuranceFormulary as f').selectAll('f')).with({
  noun: '药品目录',
  type: 'insurance.formulary',
  id: 'f.id',
  scope: insurerScopeOrCommon('f.insurerId'),
});

/** A version is seen by who sees its list. */
export const formularyVersionRecords = recordOf((db) =>
  own(db)
    .selectFrom('insuranceFormularyVersion as v')
    .innerJoin('insuranceFormulary as f', 'f.id', 'v.formularyId')
    .selectAll('v')
    .select(['f.formularyCode', 'f.name as formularyName']),
).with({ noun: '目录版本', type: 'insurance.formularyVersion', id: 'v.id', scope: insurerScopeOrCommon('f.insurerId'), locks: 'v' });

export const lineRecords = recordOf((db) =>
  own(db)
    .selectFrom('insuranceFormularyLine as l')
    .innerJoin('insuranceFormularyVersion as v', 'v.id', 'l.formularyVersionId')
    .innerJoin('insuranceFormulary as f', 'f.id', 'v.formularyId')
    .selectAll('l'),
).with({ noun: '目录药品', type: 'insurance.formularyLine', id: 'l.id', scope: insurerScopeOrCommon('f.insurerId'), locks: 'l' });
