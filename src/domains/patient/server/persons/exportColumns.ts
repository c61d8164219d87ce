import { factsOf } from '../../../../kernel/contract/field.ts';
import type { ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { exportColumn } from '../../../../kernel/server/list/listExport.ts';
import { personBrief, type PersonBrief } from '../../contract/fields.ts';

const shown = ['patientNo', 'name', 'gender', 'age', 'mobileMasked', 'idNoMasked'] as const satisfies readonly (keyof PersonBrief)[];

/**
 * Columns of the person that a row holds under `key`; his name is masked, the numbers are kept masked only.
 * @param prefix what tells the person of a row from another one
 */
export const personColumns = <Key extends string>(key: Key, prefix = ''): ExportColumn<Readonly<Record<Key, PersonBrief>>>[] =>
  shown.map((name) => {
    const facts = factsOf(personBrief, name);
    return exportColumn(`${key}.${name}`, { ...facts, label: `${prefix}${facts.label}` });
  });
