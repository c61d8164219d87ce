import { fault, textOf } from '#kernel/server/importing/rows.ts';
import { upsertImporter } from '#kernel/server/importing/upsertImporter.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { importVipMember, VIP_MEMBER_IMPORTER } from '../../contract/calls/vips.ts';
import { channelErrors } from '../../contract/errors.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { vips } from '../access.ts';
import { own } from '../database.ts';
import { joinVip } from './budget.ts';

const vipIdOf = ({ vipId }: Readonly<Record<string, unknown>>) => String(vipId);

/** Members of one VIP row by patient number; `params.vipId` names the row. */
export const vipMemberImporter = upsertImporter({
  code: VIP_MEMBER_IMPORTER,
  label: 'VIP名单',
  call: importVipMember,
  admit: (ctx, params) => vips.lock(ctx.tx, ctx.staff, vipIdOf(params)),
  templateVersion: '1',
  permission: channelPermissions['vip.edit'].code,
  columns: [{ key: 'patientId', label: '患者编号', type: 'int', required: true, example: '10001' }],
  scopeKey: vipIdOf,
  validateRow: (row) => (Number(row.record['patientId']) > 0 ? [] : [fault(row, 'patientId', '患者编号须为正整数')]),
  async lookUp(db, _rows, { params }) {
    const vip = await own(db).selectFrom('channelVip').select('patientQuota').where('id', '=', vipIdOf(params)).executeTakeFirst();
    if (!vip) throw refuse(platformErrors.NOT_FOUND);
    const members = await own(db).selectFrom('channelVipMember').select('patientId as id').where('vipId', '=', vipIdOf(params)).execute();
    return { quota: vip.patientQuota, members: new Map(members.map((member) => [member.id, member])) };
  },
  validate(rows, { quota, members }) {
    const known = new Set(members.keys());
    let room = (quota ?? Number.MAX_SAFE_INTEGER) - known.size;
    return rows.flatMap((row) => {
      const id = textOf(row, 'patientId');
      if (known.has(id)) return [];
      known.add(id);
      room -= 1;
      return room < 0 ? [fault(row, 'patientId', channelErrors.QUOTA_FULL.text)] : [];
    });
  },
  match: (row, { members }) => members.get(textOf(row, 'patientId')),
  facts: (row) => ({ patientId: textOf(row, 'patientId') }),
  // Who is a member stays one.
  addOnly: () => true,
  before: () => ({}),
  update: () => Promise.resolve(false),
  async insert(rows, _known, { tx, now, params }) {
    for (const { values } of rows) await joinVip(tx, vipIdOf(params), { ...values, scanId: null }, now);
    return rows.map(({ values }) => values.patientId);
  },
});
