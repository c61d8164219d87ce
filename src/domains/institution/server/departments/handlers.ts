import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext, Db } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { departmentChanged } from '#events/institution.ts';
import {
  addDepartment,
  batchMapDepartment,
  delDepartment,
  modifyDepartment,
  queryDepartmentTree,
  type DepartmentNode,
} from '../../contract/departmentCalls.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { hospitalRecords, hospitalsSeen } from '../access.ts';
import { own, ownTx, type InstitutionTx } from '../database.ts';
import { refreshQuality } from '../hospitals/save.ts';

const labels = { name: '科室名称', standardDeptCode: '标准科室', alias: '别名', sort: '排序', phone: '电话' };

const departments = (db: ReturnType<typeof own>) =>
  db
    .selectFrom('institutionDepartment as d')
    .leftJoin('institutionStandardDept as t', 't.code', 'd.standardDeptCode')
    .select([
      'd.id',
      'd.name',
      sql<string | null>`null::text`.as('parentId'),
      'd.standardDeptCode',
      't.name as standardDeptName',
      'd.alias',
      'd.phone',
      'd.sort',
      'd.doctorCount',
      sql<number>`1`.as('hospitalCount'),
      'd.state',
      'd.version',
    ]);
const asNode = (row: Awaited<ReturnType<ReturnType<typeof departments>['executeTakeFirstOrThrow']>>): DepartmentNode => ({
  ...row,
  state: row.state,
});

const one = async (tx: InstitutionTx, id: string) => asNode(await departments(tx).where('d.id', '=', id).executeTakeFirstOrThrow());

async function tree(db: Db, hospitalId: string | undefined): Promise<DepartmentNode[]> {
  const tables = own(db);
  if (hospitalId !== undefined) {
    const rows = await departments(tables)
      .where('d.hospitalId', '=', hospitalId)
      .where('d.state', '=', 'ENABLED')
      .orderBy('d.sort')
      .orderBy('d.id')
      .execute();
    return rows.map(asNode);
  }
  const rows = await tables
    .selectFrom('institutionStandardDept as t')
    .select(['t.code', 't.parentCode', 't.name', 't.aliasNames', 't.sort', 't.state'])
    .select((eb) =>
      eb
        .selectFrom('institutionDepartment as d')
        .whereRef('d.standardDeptCode', '=', 't.code')
        .where('d.state', '=', 'ENABLED')
        .select(sql<number>`count(distinct d.hospital_id)::int`.as('n'))
        .as('hospitalCount'),
    )
    .orderBy('t.sort')
    .execute();
  return rows.map((row) => ({
    id: row.code,
    name: row.name,
    parentId: row.parentCode,
    standardDeptCode: row.code,
    standardDeptName: row.name,
    alias: row.aliasNames,
    phone: '',
    sort: row.sort,
    doctorCount: 0,
    hospitalCount: row.hospitalCount ?? 0,
    state: row.state,
    version: 1,
  }));
}

async function requireStandard(tx: InstitutionTx, code: string | null): Promise<void> {
  if (code === null) return;
  const known = await tx
    .selectFrom('institutionStandardDept')
    .select('code')
    .where('code', '=', code)
    .where('state', '=', 'ENABLED')
    .executeTakeFirst();
  if (!known) throw refuseField('standardDeptCode', '标准科室不存在');
}

async function requireFreeName(tx: InstitutionTx, hospitalId: string, name: string, selfId: string | null): Promise<void> {
  const there = await tx
    .selectFrom('institutionDepartment')
    .select('id')
    .where('hospitalId', '=', hospitalId)
    .where('name', '=', name)
    .where('state', '=', 'ENABLED')
    .where('id', 'is distinct from', selfId)
    .executeTakeFirst();
  if (there) throw refuse(institutionErrors.DEPARTMENT_EXISTS);
}

const missing = () => refuse(platformErrors.NOT_FOUND, { message: '科室不存在或已删除' });

/** A department with its hospital locked before it, as merges do. */
async function load(ctx: CommandContext, id: string) {
  const tx = ownTx(ctx.tx);
  const seen = await hospitalsSeen(tx, ctx.staff)
    .innerJoin('institutionDepartment as d', 'd.hospitalId', 'h.id')
    .select('d.hospitalId')
    .where('d.id', '=', id)
    .executeTakeFirst();
  if (!seen) throw missing();
  await hospitalRecords.lock(ctx.tx, ctx.staff, seen.hospitalId);
  const row = await tx
    .selectFrom('institutionDepartment')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'ENABLED')
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw missing();
  return row;
}

export const departmentHandlers: readonly Handler[] = [
  query(queryDepartmentTree, async ({ hospitalId }, ctx) => {
    if (hospitalId !== undefined) await hospitalRecords.get(ctx.db, ctx.staff, hospitalId);
    return tree(ctx.db, hospitalId);
  }),
  command(addDepartment, async ({ hospitalId, ...facts }, ctx) => {
    const tx = ownTx(ctx.tx);
    // The hospital is locked, so that two departments of one name wait for each other.
    const hospital = await hospitalRecords.lock(ctx.tx, ctx.staff, hospitalId);
    if (hospital.state === 'MERGED') throw refuse(institutionErrors.ALREADY_MERGED);
    await requireStandard(tx, facts.standardDeptCode);
    await requireFreeName(tx, hospitalId, facts.name, null);
    const { id } = await tx
      .insertInto('institutionDepartment')
      .values({
        ...facts,
        hospitalId,
        state: 'ENABLED',
        ...createdColumns(ctx),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await refreshQuality(ctx, hospitalId);
    ctx.target({ type: 'institution.department', id, no: facts.name });
    ctx.changed([{ path: 'name', label: '科室', before: null, after: facts.name }]);
    return one(tx, id);
  }),
  command(modifyDepartment, async ({ id, version, ...facts }, ctx) => {
    const tx = ownTx(ctx.tx);
    const before = await load(ctx, id);
    await requireVersion(ctx, 'institution.department', before, version, () => facts);
    await requireStandard(tx, facts.standardDeptCode);
    await requireFreeName(tx, before.hospitalId, facts.name, id);
    await tx
      .updateTable('institutionDepartment')
      .set((eb) => ({ ...facts, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .execute();
    if (facts.name !== before.name || facts.standardDeptCode !== before.standardDeptCode)
      await ctx.publish(departmentChanged, id, {
        departmentId: id,
        hospitalId: before.hospitalId,
        name: facts.name,
        standardDeptCode: facts.standardDeptCode,
      });
    ctx.target({ type: 'institution.department', id, no: facts.name });
    ctx.changed(differencesOf(before, facts, labels));
    return one(tx, id);
  }),
  command(delDepartment, async ({ id }, ctx) => {
    const tx = ownTx(ctx.tx);
    const before = await load(ctx, id);
    if (before.doctorCount > 0) throw refuse(institutionErrors.DEPARTMENT_USED, { n: before.doctorCount });
    // Kept as a disabled row, because other domains may still show it.
    await tx
      .updateTable('institutionDepartment')
      .set((eb) => ({ state: 'DISABLED', version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .execute();
    await refreshQuality(ctx, before.hospitalId);
    ctx.target({ type: 'institution.department', id, no: before.name });
    ctx.changed([{ path: 'name', label: '科室', before: before.name, after: null }]);
    return {};
  }),
  command(batchMapDepartment, async ({ ids, standardDeptCode }, ctx) => {
    const tx = ownTx(ctx.tx);
    await requireStandard(tx, standardDeptCode);
    const rows = await tx
      .selectFrom('institutionDepartment')
      .select(['id', 'hospitalId', 'name', 'standardDeptCode'])
      .where('id', 'in', ids)
      .where('state', '=', 'ENABLED')
      .orderBy('id')
      .forUpdate()
      .execute();
    const hospitals = new Set(
      (
        await hospitalsSeen(tx, ctx.staff)
          .select('h.id')
          .where('h.id', 'in', rows.map((row) => row.hospitalId).concat('0'))
          .execute()
      ).map(({ id }) => id),
    );
    const known = new Map(rows.filter((row) => hospitals.has(row.hospitalId)).map((row) => [row.id, row]));
    if (known.size === 0) throw missing();
    const changing = [...known.values()].filter((row) => row.standardDeptCode !== standardDeptCode);
    if (changing.length > 0)
      await tx
        .updateTable('institutionDepartment')
        .set((eb) => ({ standardDeptCode, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
        .where(
          'id',
          'in',
          changing.map(({ id }) => id),
        )
        .execute();
    for (const { id, hospitalId, name } of changing)
      await ctx.publish(departmentChanged, id, { departmentId: id, hospitalId, name, standardDeptCode });
    for (const row of changing.slice(0, 50)) ctx.target({ type: 'institution.department', id: row.id, no: row.name });
    ctx.changed([{ path: 'standardDeptCode', label: '标准科室', before: `${changing.length}个科室`, after: standardDeptCode }]);
    return [...new Set(ids)].map((id) => {
      const row = known.get(id);
      return {
        id,
        name: row?.name ?? id,
        ok: row !== undefined,
        message: row === undefined ? '科室不存在或已删除' : row.standardDeptCode === standardDeptCode ? '已是该标准科室' : '成功',
      };
    });
  }),
];
