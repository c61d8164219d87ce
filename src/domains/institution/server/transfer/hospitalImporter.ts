import type { Db, Tx } from '#kernel/server/context.ts';
import type { ImportFault, ParsedRow, PlannedRow } from '#kernel/server/importing/importer.ts';
import { fault, repeated, textOf } from '#kernel/server/importing/rows.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import { hospitalChanged } from '#events/institution.ts';
import { insertRecords } from '#kernel/server/database/insertRecords.ts';
import { nextNumbers } from '#kernel/server/command/numbers.ts';
import { picked } from '#kernel/contract/field.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { seesRegion } from '#kernel/server/auth/scope.ts';
import { authorColumns, createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { importHospital } from '../../contract/importCalls.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { ownTx, type InstitutionTx } from '../database.ts';
import { blankFacts, derive, factsOf } from '../hospitals/facts.ts';
import { eventOf } from '../hospitals/save.ts';
import { scoreBatchJob } from '../jobs.ts';
import { normName } from '../rules/normName.ts';
import {
  hospitalColumns,
  importedFacts,
  placeIn,
  readHospital,
  storedFor,
  suspects,
  type ReadHospital,
  type Suspect,
} from './hospitalRows.ts';
import { OUTSIDE } from '../regions.ts';
import { regionBook } from './regionBook.ts';

/** Rows of the file that mean the same hospital. */
function repeatedRows(rows: readonly ReadHospital[]): ImportFault[] {
  const keys = [
    ['name', '医院名称', (row: ReadHospital) => `${row.place.cityAdcode}:${row.norm}`],
    ['uscc', '统一社会信用代码', (row: ReadHospital) => row.uscc ?? ''],
    ['licenceNo', '许可证号', (row: ReadHospital) => row.facts.licenceNo ?? ''],
    ['nhsaCode', '医保编码', (row: ReadHospital) => row.nhsaCode ?? ''],
  ] as const;
  return keys.flatMap(([column, label, keyOf]) => repeated(rows, column, label, keyOf));
}

async function putAliases(
  tx: InstitutionTx,
  rows: readonly { id: string; former: readonly string[]; place: ReadHospital['place'] }[],
  stamp: { now: string; userId: string },
): Promise<void> {
  const values = rows.flatMap(({ id, former, place }) =>
    former.map((name) => ({
      hospitalId: id,
      name,
      normName: normName(name, place),
      kind: 'FORMER' as const,
      ...authorColumns(stamp),
      updatedAt: stamp.now,
    })),
  );
  if (values.length > 0)
    await tx
      .insertInto('institutionHospitalAlias')
      .values(values)
      .onConflict((conflict) => conflict.columns(['hospitalId', 'normName']).doNothing())
      .execute();
}

type StoredHospital = NonNullable<ReturnType<Awaited<ReturnType<typeof storedFor>>>['match']>;
/** Somebody looks at it first: like `addHospital`, an import does not make a second one. */
interface Likely {
  id: string;
  likely: true;
}

/** What rows mean, and what they may mean besides. */
async function lookUp(db: Db | Tx, rows: readonly (ParsedRow | PlannedRow)[], reading: object, step: 'checking' | 'writing') {
  const book = await regionBook(reading, db);
  const read = new Map(rows.flatMap((row) => readHospital(row, book) ?? []).map((row) => [row.rowNo, row]));
  const asked = rows.flatMap((row) => (step === 'writing' && 'action' in row && row.action === 'NEW' ? [] : (read.get(row.rowNo) ?? [])));
  const stored: Awaited<ReturnType<typeof storedFor>> = asked.length === 0 ? () => ({ match: null, torn: [] }) : await storedFor(db, asked);
  const alike: ReadonlyMap<number, Suspect> = step === 'writing' || asked.length === 0 ? new Map() : await suspects(db, asked);
  // What is written of these rows, for those who keep copies.
  const saved: Parameters<typeof eventOf>[0][] = [];
  return { book, read, stored, alike, saved };
}

const facts = (row: ParsedRow, { read }: Awaited<ReturnType<typeof lookUp>>): ReadHospital => read.get(row.rowNo)!;

/** Hospitals by name: matched by 医保编码, 信用代码, then name in the city; an unchanged row writes nothing. */
export const hospitalImporter = upsertImporter({
  code: 'institution.hospital',
  label: '医院',
  call: importHospital,
  templateVersion: '1',
  permission: institutionPermissions['hospital.import'].code,
  maxRows: 20_000,
  allowValidOnly: true,
  checksBrokenRows: true,
  columns: hospitalColumns,

  lookUp,
  validate(rows, { book, read, stored, alike }, { staff }) {
    const faults: ImportFault[] = [];
    for (const row of rows) {
      const place = placeIn(book, row);
      if (!place)
        faults.push(
          fault(
            row,
            'district',
            textOf(row, 'district') === ''
              ? '请填写区县，没有区县的城市才可不填'
              : `没有“${textOf(row, 'province')}${textOf(row, 'city')}${textOf(row, 'district')}”这个地区`,
          ),
        );
      else if (!seesRegion(staff.scope, place.adcode)) faults.push(fault(row, 'district', OUTSIDE));
    }
    faults.push(...repeatedRows([...read.values()]));
    for (const row of read.values()) {
      const { match, torn } = stored(row);
      const suspect = alike.get(row.rowNo);
      const owner = match && match.parentId === null && suspect?.holdsLicence && suspect.id !== match.id ? [match, suspect] : [];
      const others = [...torn, ...owner];
      if (others.length > 0)
        faults.push(
          fault(
            row,
            'name',
            `名称与编码对应不同的医院（${[...new Set(others.map((one) => `${one.hospitalNo} ${one.name}`))].join('，')}）`,
          ),
        );
      else if (!match && suspect) {
        const suspectText = `${suspect.hospitalNo} ${suspect.name}，${suspect.why}`;
        faults.push({
          ...fault(
            row,
            'name',
            suspect.likely ? `疑似重复：${suspectText}；本行不导入，确为新医院的请在页面新增` : `可能相关：${suspectText}`,
          ),
          severity: 'WARN',
        });
      }
    }
    return faults;
  },

  match(row, { read, stored, alike }): StoredHospital | Likely | undefined {
    const { match } = stored(read.get(row.rowNo)!);
    if (match) return match;
    const suspect = alike.get(row.rowNo);
    return suspect?.likely ? { id: suspect.id, likely: true } : undefined;
  },
  facts,
  before: (stored, { record }) => ('likely' in stored ? {} : { ...record, ...picked(stored, importedFacts) }),
  addOnly: ({ rowMode }) => rowMode === 'ADD_ONLY',
  same: (stored, { hash, facts: said }) =>
    'likely' in stored ||
    stored.rowHash === hash ||
    Object.entries(said).every(([key, value]) => stored[key as keyof typeof stored] === value),

  // Thousands at once: one statement for a piece.
  async insert(rows, { saved }, { tx, now, staff, batchNo }) {
    const numbers = await nextNumbers(tx, 'YY', dayOf(now), rows.length);
    const made = rows.map(({ values }, index) => ({
      ...derive({ ...blankFacts, ...values.facts }, values.place, 0),
      hospitalNo: numbers[index]!,
      source: 'IMPORT',
      state: 'ENABLED',
      rowHash: values.hash,
      importBatchNo: batchNo,
      ...createdColumns({ now, staff }),
      updatedByName: staff.displayName,
    }));
    const inserted = await insertRecords(tx, 'institution_hospital', made, ['id', 'hospitalNo']);
    const ids = new Map(inserted.map(({ id, hospitalNo }) => [hospitalNo, id]));
    saved.push(...made.map((row) => ({ ...row, id: ids.get(row.hospitalNo)! })));
    return numbers.map((hospitalNo) => ids.get(hospitalNo)!);
  },
  async update({ values, stored }, { saved }, writing) {
    if ('likely' in stored) return false;
    const tx = ownTx(writing.tx);
    const before = await tx.selectFrom('institutionHospital').selectAll().where('id', '=', stored.id).forUpdate().executeTakeFirstOrThrow();
    const { n } = await tx
      .selectFrom('institutionDepartment')
      .select((eb) => eb.fn.countAll<string>().as('n'))
      .where('hospitalId', '=', before.id)
      .where('state', '=', 'ENABLED')
      .executeTakeFirstOrThrow();
    const changed = await tx
      .updateTable('institutionHospital')
      .set((eb) => ({
        ...derive({ ...factsOf(before), ...values.facts }, values.place, Number(n)),
        rowHash: values.hash,
        importBatchNo: writing.batchNo,
        version: eb('version', '+', 1),
        ...updatedColumns(writing),
        updatedByName: writing.staff.displayName,
      }))
      .where('id', '=', before.id)
      .where('version', '=', stored.version)
      .returningAll()
      .executeTakeFirst();
    if (changed) saved.push(changed);
    return changed !== undefined;
  },
  async written(rows, { read, saved }, writing, ids) {
    await putAliases(
      ownTx(writing.tx),
      rows.map(({ rowNo }) => ({ ...read.get(rowNo)!, id: ids.get(rowNo)! })),
      { now: writing.now, userId: writing.staff.userId },
    );
    await writing.publishMany(
      hospitalChanged,
      saved.map((row) => ({ aggregateId: row.id, payload: eventOf(row) })),
    );
    await writing.enqueue(scoreBatchJob, { batchNo: writing.batchNo }, { singletonKey: writing.batchNo });
  },
});
