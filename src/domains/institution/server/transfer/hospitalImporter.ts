import type { Importer, ImportFault, ParsedRow, PlannedRow } from '../../../../kernel/server/importing/importer.ts';
import { fault, repeated, textOf } from '../../../../kernel/server/importing/rows.ts';
import { hospitalChanged } from '../../../../events/institution.ts';
import { insertRecords } from '../../../../kernel/server/database/insertRecords.ts';
import { nextNumbers } from '../../../../kernel/server/command/numbers.ts';
import { picked } from '../../../../kernel/contract/field.ts';
import { dayOf } from '../../../../kernel/contract/time.ts';
import { seesRegion } from '../../../../kernel/server/auth/scope.ts';
import { institutionPermissions } from '../../contract/permissions.ts';
import { ownTx, type InstitutionTx } from '../database.ts';
import { blankFacts, derive, factsOf } from '../hospitals/facts.ts';
import { eventOf } from '../hospitals/save.ts';
import { scoreBatchJob } from '../jobs.ts';
import { normName } from '../rules/normName.ts';
import { hospitalColumns, importedFacts, placeIn, readHospital, storedFor, suspects, type ReadHospital } from './hospitalRows.ts';
import { OUTSIDE } from '../regions.ts';
import { regionBook, type RegionBook } from './regionBook.ts';

const AT_ONCE = 1000;
const known = (rows: readonly ParsedRow[], book: RegionBook): ReadHospital[] => rows.flatMap((row) => readHospital(row, book) ?? []);

/** Finds rows of the file that mean the same hospital, piece by piece. */
function repeatedRows(): (rows: readonly ReadHospital[]) => ImportFault[] {
  const keys = [
    ['name', '医院名称', (row: ReadHospital) => `${row.place.cityAdcode}:${row.norm}`],
    ['uscc', '统一社会信用代码', (row: ReadHospital) => row.uscc ?? ''],
    ['licenceNo', '许可证号', (row: ReadHospital) => row.facts.licenceNo ?? ''],
    ['nhsaCode', '医保编码', (row: ReadHospital) => row.nhsaCode ?? ''],
  ] as const;
  const met = keys.map((key) => ({ key, first: new Map<string, number>() }));
  return (rows) => met.flatMap(({ key: [column, label, keyOf], first }) => repeated(rows, column, label, keyOf, first));
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
      createdAt: stamp.now,
      createdBy: stamp.userId,
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

/** Hospitals by name: matched by 医保编码, 信用代码, then name in the city; an unchanged row writes nothing. */
// No `upsertImporter`: thousands are written by one statement, and a row that may mean another hospital is not written.
export const hospitalImporter: Importer = {
  code: 'institution.hospital',
  label: '医院',
  templateVersion: '1',
  permission: institutionPermissions['hospital.import'].code,
  maxRows: 20_000,
  allowValidOnly: true,
  checksBrokenRows: true,
  columns: hospitalColumns,

  async validateAll(rows, reading) {
    const { db, staff } = reading;
    const book = await regionBook(reading, db);
    const faults: ImportFault[] = [];
    for (const row of rows) {
      const place = placeIn(book, row);
      if (!place)
        faults.push(fault(row, 'district', `没有“${textOf(row, 'province')}${textOf(row, 'city')}${textOf(row, 'district')}”这个地区`));
      else if (!seesRegion(staff.scope, place.adcode)) faults.push(fault(row, 'district', OUTSIDE));
    }
    const twice = repeatedRows();
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const chunk = known(rows.slice(at, at + AT_ONCE), book);
      if (chunk.length === 0) continue;
      faults.push(...twice(chunk));
      const stored = await storedFor(db, chunk);
      const alike = await suspects(db, chunk);
      for (const row of chunk) {
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
    }
    return faults;
  },

  async plan(rows, reading) {
    const { db, params } = reading;
    const read = new Map(known(rows, await regionBook(reading, db)).map((row) => [row.rowNo, row]));
    const stored = await storedFor(db, [...read.values()]);
    const alike = await suspects(
      db,
      [...read.values()].filter((row) => !stored(row).match),
    );
    return rows.map((row): PlannedRow => {
      const own = read.get(row.rowNo)!;
      const { match } = stored(own);
      const suspect = alike.get(row.rowNo);
      // Somebody looks at it first: like `addHospital`, an import does not make a second one.
      if (!match && suspect?.likely) return { ...row, action: 'SAME', targetId: suspect.id };
      if (!match) return { ...row, action: 'NEW' };
      const same =
        params['rowMode'] === 'ADD_ONLY' ||
        match.rowHash === own.hash ||
        Object.entries(own.facts).every(([key, value]) => match[key as keyof typeof match] === value);
      const before = { ...row.record, ...picked(match, importedFacts) };
      return { ...row, action: same ? 'SAME' : 'CHANGE', before, targetId: match.id, targetVersion: match.version };
    });
  },

  async commitChunk(rows, batchNo, writing) {
    const tx = ownTx(writing.tx);
    const book = await regionBook(writing, writing.tx);
    const stamp = { updatedAt: writing.now, updatedBy: writing.staff.userId, updatedByName: writing.staff.displayName };
    const written = new Map<number, string>();
    const saved: { id: string; name: string; level: string; levelRank: number; adcode: string; state: string }[] = [];
    const aliased: { id: string; former: string[]; place: ReadHospital['place'] }[] = [];
    const fresh = rows.filter(({ action }) => action === 'NEW').map((row) => readHospital(row, book)!);
    const numbers = await nextNumbers(writing.tx, 'YY', dayOf(writing.now), fresh.length);
    if (fresh.length > 0) {
      const made = fresh.map((row, index) => ({
        ...derive({ ...blankFacts, ...row.facts }, row.place, 0),
        hospitalNo: numbers[index]!,
        source: 'IMPORT',
        state: 'ENABLED',
        rowHash: row.hash,
        importBatchNo: batchNo,
        createdAt: writing.now,
        createdBy: writing.staff.userId,
        ...stamp,
      }));
      const inserted = await insertRecords(writing.tx, 'institution_hospital', made, ['id', 'hospitalNo']);
      const byNo = new Map(made.map((row) => [row.hospitalNo, row]));
      saved.push(...inserted.map(({ id, hospitalNo }) => ({ id, ...byNo.get(hospitalNo)! })));
      const ids = new Map(inserted.map(({ id, hospitalNo }) => [hospitalNo, id]));
      for (const [index, row] of fresh.entries()) {
        const id = ids.get(numbers[index]!)!;
        written.set(row.rowNo, id);
        aliased.push({ id, former: row.former, place: row.place });
      }
    }
    for (const row of rows.filter(({ action }) => action === 'CHANGE')) {
      const read = readHospital(row, book)!;
      const before = await tx
        .selectFrom('institutionHospital')
        .selectAll()
        .where('id', '=', row.targetId!)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const { n } = await tx
        .selectFrom('institutionDepartment')
        .select((eb) => eb.fn.countAll<string>().as('n'))
        .where('hospitalId', '=', before.id)
        .where('state', '=', 'ENABLED')
        .executeTakeFirstOrThrow();
      const after = await tx
        .updateTable('institutionHospital')
        .set((eb) => ({
          ...derive({ ...factsOf(before), ...read.facts }, read.place, Number(n)),
          rowHash: read.hash,
          importBatchNo: batchNo,
          version: eb('version', '+', 1),
          ...stamp,
        }))
        .where('id', '=', before.id)
        .where('version', '=', row.targetVersion!)
        .returningAll()
        .executeTakeFirstOrThrow();
      written.set(row.rowNo, after.id);
      aliased.push({ id: after.id, former: read.former, place: read.place });
      saved.push(after);
    }
    for (const row of rows.filter(({ action }) => action === 'SAME')) written.set(row.rowNo, row.targetId!);
    await putAliases(tx, aliased, { now: writing.now, userId: writing.staff.userId });
    await writing.publishMany(
      hospitalChanged,
      saved.map((row) => ({ aggregateId: row.id, payload: eventOf(row) })),
    );
    if (saved.length > 0) await writing.enqueue(scoreBatchJob, { batchNo }, { singletonKey: batchNo });
    return written;
  },
};
