import type { ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { genders } from '../../contract/dictionaries.ts';
import type { PersonBrief } from '../../contract/fields.ts';

/**
 * Columns of the person that a row holds under `key`; his name is masked, the numbers are kept masked only.
 * @param label what tells the person of a row from another one
 */
export const personColumns = <Key extends string>(key: Key, label = ''): readonly ExportColumn<Readonly<Record<Key, PersonBrief>>>[] => [
  { key: `${key}.patientNo`, label: `${label}患者编号`, width: 14, value: (row) => row[key].patientNo },
  { key: `${key}.name`, label: `${label}姓名`, sensitive: 'name', value: (row) => row[key].name },
  { key: `${key}.gender`, label: `${label}性别`, width: 6, value: (row) => genders.label(String(row[key].gender)) },
  { key: `${key}.age`, label: `${label}年龄`, kind: 'int', width: 6, value: (row) => row[key].age },
  { key: `${key}.mobileMasked`, label: `${label}手机号`, width: 14, value: (row) => row[key].mobileMasked },
  { key: `${key}.idNoMasked`, label: `${label}证件号`, width: 22, value: (row) => row[key].idNoMasked },
];
