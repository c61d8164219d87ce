import { dayOf } from '#kernel/contract/time.ts';
import { Refusal } from '#kernel/contract/errors.ts';
import type { Scope, Tx } from '#kernel/server/context.ts';
import { nextSerial } from '#kernel/server/command/numbers.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { ImportFault, Importer, ParsedRow } from '#kernel/server/importing/importer.ts';
import { addUserInfo, importUserInfo, newAssignment } from '../../contract/calls/users.ts';
import { employers } from '../../contract/dictionaries.ts';
import { identityPermissions } from '../../contract/permissions.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { wholeScope } from '../session/scope.ts';
import { judgeTogether } from '../roles/duties.ts';
import { publishUserChanged } from './changed.ts';
import { requireMayGrant, insertAssignment, rightsOfRole } from './grant.ts';
import { mobileColumns, mobileHash } from './mobile.ts';
import { codeOf, fault, repeated, textOf } from '#kernel/server/importing/rows.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';

const USER_IMPORTER = 'identity.user';

const roleCodesOf = (row: ParsedRow) => [
  ...new Set(
    textOf(row, 'roleCodes')
      .toUpperCase()
      .split(/[、,，;；\s]+/)
      .filter(Boolean),
  ),
];

/** `全部`, or `区域:310000|320500；保司:7；渠道:12；仅本人`; null when it cannot be read. */
export function parseScope(written: string): Scope | null {
  const scope: { own: boolean; region: string[] | null; insurer: string[] | null; channel: string[] | null } = {
    own: false,
    region: null,
    insurer: null,
    channel: null,
  };
  if (written === '' || written === '全部') return scope;
  for (const part of written
    .split(/[;；]/)
    .map((one) => one.trim())
    .filter(Boolean)) {
    if (part === '仅本人') {
      scope.own = true;
      continue;
    }
    const match = /^(区域|保司|渠道)[:：]\s*([\d|、,，\s]+)$/.exec(part);
    const values = match?.[2]?.split(/[|、,，\s]+/).filter(Boolean) ?? [];
    if (values.length === 0) return null;
    if (match?.[1] === '区域') {
      if (!values.every((value) => /^\d{6}$/.test(value))) return null;
      scope.region = values;
    } else if (match?.[1] === '保司') scope.insurer = values;
    else scope.channel = values;
  }
  return scope;
}

/**
 * No `upsertImporter`: a user who is there refuses the row, nothing is changed or left. Imported users are PENDING without a
 * password: they come in by code, or after 重置密码.
 */
export const userImporter = (core: IdentityCore): Importer => ({
  code: USER_IMPORTER,
  label: '员工用户',
  call: importUserInfo,
  templateVersion: '1',
  permission: identityPermissions['user.edit'].code,
  undoPermission: identityPermissions['user.edit'].code,
  maxRows: 2_000,
  checksBrokenRows: true,
  columns: importColumns({ ...addUserInfo.input.shape, scope: newAssignment.shape.scope }, [
    { key: 'userName', example: 'zhangsan', note: '4-32位字母、数字、下划线或点，且以字母开头' },
    { key: 'displayName', example: '张三' },
    { key: 'mobile', type: 'mobile', sensitive: true, example: '13812345678', note: '验证码登录需要' },
    { key: 'departmentName', example: '客户服务部' },
    { key: 'postName', example: '客服专员' },
    { key: 'employer', example: '本公司' },
    { key: 'validTo', example: '2027-12-31', note: '外包人员必填' },
    { key: 'roleCodes', label: '角色编码', type: 'text', required: true, maxLength: 200, example: 'SERVICE', note: '多个用、分隔' },
    // Written in words: several restrictions in one cell.
    {
      key: 'scope',
      maxLength: 500,
      example: '全部',
      note: '全部，或 区域:310000|320500；保司:7；渠道:12；仅本人',
      check: (value) => (parseScope(String(value ?? '')) === null ? '数据范围格式不正确' : null),
    },
  ]),
  validateRow: (row) =>
    textOf(row, 'employer') === 'OUTSOURCE' && textOf(row, 'validTo') === '' ? [fault(row, 'validTo', '外包人员必须填写有效期')] : [],
  async validateAll(rows, { db, staff, now }) {
    const { secrets } = core.kernel;
    const faults = [
      ...repeated(rows, 'userName', '用户名', (row) => textOf(row, 'userName').toLowerCase()),
      ...repeated(rows, 'mobile', '手机号', (row) => textOf(row, 'mobile')),
    ];
    const names = rows.map((row) => textOf(row, 'userName').toLowerCase());
    const hashes = new Map(
      rows.flatMap((row) => (textOf(row, 'mobile') === '' ? [] : [[mobileHash(secrets, textOf(row, 'mobile')), row] as const])),
    );
    const taken = await own(db)
      .selectFrom('identityStaffUser')
      .select((eb) => eb.fn<string>('lower', ['userName']).as('name'))
      .where((eb) => eb(eb.fn<string>('lower', ['userName']), 'in', names.length > 0 ? names : ['']))
      .execute();
    const takenNames = new Set(taken.map(({ name }) => name));
    const owners =
      hashes.size === 0
        ? []
        : await own(db)
            .selectFrom('identityStaffUser')
            .select(['mobileHash', 'displayName', 'opNo'])
            .where('mobileHash', 'in', [...hashes.keys()])
            .where('state', '!=', 'LEFT')
            .execute();
    for (const row of rows) if (takenNames.has(textOf(row, 'userName').toLowerCase())) faults.push(fault(row, 'userName', '用户名已存在'));
    for (const owner of owners) {
      const row = hashes.get(owner.mobileHash ?? '');
      if (row) faults.push(fault(row, 'mobile', `手机号已被${owner.displayName}（${owner.opNo}）使用`));
    }
    const roles = await own(db)
      .selectFrom('identityRole')
      .select(['id', 'roleCode'])
      .where('deletedAt', 'is', null)
      .where('state', '=', 'ENABLED')
      .execute();
    const byCode = new Map(roles.map((role) => [role.roleCode, role]));
    const refused = new Map<string, string>();
    for (const code of new Set(rows.flatMap(roleCodesOf))) {
      const role = byCode.get(code);
      if (!role) continue;
      // The rules of granting are those of the dialog, asked once per role.
      const tx = db as Tx;
      await requireMayGrant(tx, staff, await rightsOfRole(tx, role.id), dayOf(now)).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        refused.set(code, error.message);
      });
    }
    const together = new Map<string, Awaited<ReturnType<typeof judgeTogether>>>();
    for (const row of rows) {
      const codes = roleCodesOf(row);
      const unknown = codes.filter((code) => !byCode.has(code));
      if (unknown.length > 0) faults.push(fault(row, 'roleCodes', `角色不存在或已停用：${unknown.join('、')}`));
      const message = codes.map((code) => refused.get(code)).find(Boolean);
      if (message) faults.push(fault(row, 'roleCodes', message));
      const ids = codes.flatMap((code) => byCode.get(code)?.id ?? []);
      const key = ids.toSorted().join();
      const judged = together.get(key) ?? (await judgeTogether(db, ids));
      together.set(key, judged);
      if (judged.refused !== null) faults.push(fault(row, 'roleCodes', judged.refused));
      faults.push(...judged.warnings.map((message): ImportFault => ({ ...fault(row, 'roleCodes', message), severity: 'WARN' })));
    }
    return faults;
  },
  plan: (rows) => Promise.resolve(rows.map((row) => ({ ...row, action: 'NEW' as const }))),
  async commitChunk(rows, batchNo, writing) {
    const { tx, staff, now } = writing;
    const roles = await own(tx).selectFrom('identityRole').select(['id', 'roleCode']).where('deletedAt', 'is', null).execute();
    const roleIds = new Map(roles.map(({ id, roleCode }) => [roleCode, id]));
    const written = new Map<number, string>();
    for (const row of rows) {
      const opNo = await nextSerial(tx, 'KQ', 4);
      const displayName = textOf(row, 'displayName');
      const validTo = textOf(row, 'validTo') || null;
      const { id } = await own(tx)
        .insertInto('identityStaffUser')
        .values({
          userName: textOf(row, 'userName'),
          displayName,
          opNo,
          ...mobileColumns(core.kernel.secrets, textOf(row, 'mobile') || null),
          departmentName: textOf(row, 'departmentName') || null,
          postName: textOf(row, 'postName') || null,
          employer: codeOf(row, 'employer', employers),
          validTo,
          state: 'PENDING',
          mustChangePassword: true,
          changeReason: 'FIRST',
          importBatchNo: batchNo,
          ...createdColumns({ now, staff }),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const code of roleCodesOf(row)) {
        const roleId = roleIds.get(code);
        if (roleId === undefined) continue;
        const scope = parseScope(textOf(row, 'scope')) ?? wholeScope;
        await insertAssignment(tx, { userId: id, roleId, scope, validFrom: dayOf(now), validTo }, staff.userId, now);
      }
      await publishUserChanged(writing, { id, opNo, displayName, state: 'PENDING' });
      written.set(row.rowNo, id);
    }
    return written;
  },
  async undo(rows, batchNo, { tx }) {
    const users = await own(tx)
      .selectFrom('identityStaffUser')
      .select(['id', 'userName', 'opNo', 'lastLoginAt', 'state', 'passwordHash'])
      .where('importBatchNo', '=', batchNo)
      .forUpdate()
      .execute();
    const used = users.find(({ lastLoginAt, state, passwordHash }) => lastLoginAt !== null || state !== 'PENDING' || passwordHash !== null);
    if (used) {
      const row = rows.find((one) => textOf(one, 'userName').toLowerCase() === used.userName.toLowerCase());
      return { rowNo: row?.rowNo ?? 0, no: used.opNo };
    }
    const ids = users.map(({ id }) => id);
    if (ids.length === 0) return null;
    await own(tx).deleteFrom('identityUserRole').where('userId', 'in', ids).execute();
    await own(tx).deleteFrom('identityNoticeRead').where('userId', 'in', ids).execute();
    await own(tx).deleteFrom('identityStaffUser').where('id', 'in', ids).execute();
    return null;
  },
});
