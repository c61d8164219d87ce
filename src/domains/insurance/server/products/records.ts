import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own } from '../database.ts';
import { insurerScope } from '../access.ts';

export const productRecords = recordOf((db) => own(db).selectFrom('insuranceProduct as p').selectAll('p')).with({
  noun: '产品',
  type: 'insurance.product',
  id: 'p.id',
  scope: insurerScope('p.insurerId'),
});

/** A version is seen by who sees its product. */
export const versionRecords = recordOf((db) =>
  own(db)
    .selectFrom('insuranceProductVersion as v')
    .innerJoin('insuranceProduct as p', 'p.id', 'v.productId')
    .selectAll('v')
    .select(['p.productCode', 'p.productName', 'p.productLine']),
).with({ noun: '产品版本', type: 'insurance.productVersion', id: 'v.id', scope: insurerScope('p.insurerId'), locks: 'v' });
